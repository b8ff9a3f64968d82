import { withoutEnd } from '../../text.ts'

const BULLET = /^(?:[-–—*•·>]+|\(?\d{1,3}[.)])\s+/u

/**
 * A line of a mail without bullet or line number and without its price: `- 2x CB436A`, `3. CB436A à
 * 5,00 €`.
 */
export const plainLine = (line: string): string => withoutPrice(line.replace(BULLET, ''))

/** The parts of a price at the end of a line, from right to left: `zu € 5,00 EUR / Stk`. */
const UNIT_SUFFIX = / ?\/? ?(?:ea|each|stk|stück)\.?$/iu
const CURRENCY_BEHIND = / ?(?:[€$£]|eur|usd|chf|gbp)$/iu
const CURRENCY_BEFORE = /(?:[€$£]|eur|usd)? ?$/iu
const AT = /[ ,;](?:@|à|je|zu|for)$/iu

function withoutPrice(line: string): string {
  const priced = line.replace(UNIT_SUFFIX, '').replace(CURRENCY_BEHIND, '')
  const before = withoutEnd(priced, '0123456789.,')
  if (!/^\d[\d.,]*[.,]\d{2}$/.test(priced.slice(before.length))) return line
  const named = before.replace(CURRENCY_BEFORE, '').trimEnd()
  return AT.test(named) ? withoutEnd(named.replace(AT, ''), ' ,;') : line
}

const LABEL =
  /^(?:p\/?n|mpn|sku|ean|upc|gtin|part (?:number|no\.?|#)|(?:art(?:ikel)?|best(?:ell)?)\.?[ -]?(?:nr|nummer)\.?|hersteller-?(?:nr|nummer)\.?)(?: ?[:#] ?| )|^(?:part|item): ?/iu

/** A text that begins with a part number, without a label such as `MPN`. */
export function withoutLabel(text: string): string {
  const rest = text.replace(LABEL, '')
  const [number = ''] = rest.split(/\s/, 1)
  return /\d/.test(number) ? rest : text
}
