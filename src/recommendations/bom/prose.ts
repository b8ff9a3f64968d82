import { fold } from '../../text.ts'

const BULLET = /^(?:[-–—*•·>]+|\(?\d{1,3}[.)])\s+(?=\S)/u

const PRICE =
  /[\s,;]+(?:@|à|je|zu|for)\s*(?:[€$£]|eur|usd)?\s?\d[\d.,]*[.,]\d{2}\s?(?:[€$£]|eur|usd|chf|gbp)?(?:\s?\/?\s?(?:ea|each|stk|stück)\.?)?$/iu

/** A line of a mail without what counts it and without its price: `- 2x CB436A`, `3. CB436A à 5,00 €`. Pure. */
export const plainLine = (line: string): string =>
  line.length > LONGEST ? line : line.replace(BULLET, '').replace(PRICE, '')

const LONGEST = 500

const LABEL =
  /^(?:p\/?n|mpn|sku|ean|upc|gtin|part (?:number|no\.?|#)|(?:art(?:ikel)?|best(?:ell)?)\.?[ -]?(?:nr|nummer)\.?|hersteller-?(?:nr|nummer)\.?|part(?=:)|item(?=:))(?: ?[:#] ?| )(?=\S*\d)/iu

/** A text that begins with a part number, without the word that says so. Pure. */
export const withoutLabel = (text: string): string => text.replace(LABEL, '')

const SUMS = new Set(
  'total subtotal grandtotal nettotal sum summe gesamt gesamtsumme gesamtbetrag zwischensumme nettosumme bruttosumme endsumme'.split(
    ' ',
  ),
)
const CURRENCY = /\b(?:eur|usd|chf|gbp)\b/g

/** Whether a row adds up the others: a word for that, and nothing else but amounts. Pure. */
export function isSum(cells: readonly string[]): boolean {
  const words = cells
    .map((cell) => fold(cell).replace(CURRENCY, ''))
    .filter((cell) => /\p{L}/u.test(cell))
  const [word = ''] = words
  return words.length === 1 && SUMS.has(word.replace(/:[^\p{L}]*$/u, '').replace(/[\s.-]/g, ''))
}
