/** The check digit of a UPC-A, computed from its first eleven digits. */
export function upcCheckDigit(eleven: string): number {
  const sum = [...eleven].reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 1 : 3), 0)
  return (10 - (sum % 10)) % 10
}

/**
 * Maps serials 0, 1, 2 … to all numbers of `digits` digits, each once, so that successive numbers
 * differ visibly and leading zeros occur.
 */
export function scattered(serial: number, digits: number): string {
  const size = 10 ** digits
  return String(((serial + 1) * 7919 + 131) % size).padStart(digits, '0')
}

/** Fills a part-number pattern: `{code}`, and `{n5}` for the serial scattered over five digits. */
export function fill(pattern: string, { code, serial }: { code: string; serial: number }): string {
  return pattern
    .replaceAll('{code}', code)
    .replace(/\{n(\d)\}/g, (_, digits: string) => scattered(serial, Number(digits)))
}

/** Rounds to cents. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100

/**
 * A realistic price: below 20 exact to the cent, below 500 ending in .x9, above in 4.00 or 9.00.
 */
export function shopPrice(amount: number): number {
  if (amount < 20) return Math.max(0.05, cents(amount))
  if (amount < 500) return cents(Math.round(amount * 10) / 10 - 0.01)
  return cents(Math.round(amount / 5) * 5 - 1)
}
