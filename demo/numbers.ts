/** The last digit of a UPC-A, from its first eleven. */
export function upcCheckDigit(eleven: string): number {
  const sum = [...eleven].reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 1 : 3), 0)
  return (10 - (sum % 10)) % 10
}

/**
 * Spreads 0, 1, 2 … over all numbers of so many digits, each used once, so that numbers of
 * neighbours differ visibly and leading zeros occur.
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

/** A price as shops write it: below 20 to the cent, below 500 to .x9, above to .00 or .99. */
export function shopPrice(amount: number): number {
  if (amount < 20) return Math.max(0.05, cents(amount))
  if (amount < 500) return cents(Math.round(amount * 10) / 10 - 0.01)
  return cents(Math.round(amount / 5) * 5 - 1)
}
