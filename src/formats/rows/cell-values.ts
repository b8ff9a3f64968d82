import { fold, splitTrimmed } from '../../text.ts'

/** The decimal separator; the other one separates thousands. */
export type Decimal = '.' | ','

// A currency sign or a three-letter code, before or after the amount.
const CURRENCY_BEFORE = /^(?:\p{Sc}|[A-Z]{3}\b|[A-Z]{2}\$)/u
const CURRENCY_BEHIND = /(?:\p{Sc}|\b[A-Z]{3})$/u
/** Spaces that do not divide digits, or divide groups of three. */
const SPACES = /(?<!\d)[\s\u00a0\u202f'’]|[\s\u00a0\u202f'’](?:(?!\d)|(?=\d{3}(?!\d)))/g
const PLAIN = /^\d*$/
/** Numbers that are the same in every notation, as most are. */
const SIMPLE = /^\d{1,15}(?:\.\d{1,2})?$/
const SCIENTIFIC = /^\d+(?:[.,]\d+)?e[+-]?\d{1,3}$/i

/** Whether digits are in groups of three, separated by `sign`. */
const isGrouped = (text: string, sign: Decimal): boolean => {
  const [first, ...groups] = text.split(sign)
  return (
    groups.length > 0 &&
    /^[1-9]\d{0,2}$/.test(first!) &&
    groups.every((group) => /^\d{3}$/.test(group))
  )
}

const other = (sign: Decimal): Decimal => (sign === '.' ? ',' : '.')

/** The decimal separator that a number proves; undefined if it is ambiguous or absent. */
function provenDecimal(text: string): Decimal | undefined {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  if (last === -1) return undefined
  const sign = text[last] as Decimal
  if (text.includes(other(sign))) return sign
  if (text.indexOf(sign) !== last) return other(sign)
  return isGrouped(text, sign) ? undefined : sign
}

/** The decimal separator of a file, by the numbers that prove one; a point if none does. */
export function detectDecimal(texts: Iterable<string>): Decimal {
  let commas = 0
  for (const text of texts) {
    const sign = signIn(text)
    if (sign === ',') commas++
    if (sign === '.') commas--
  }
  return commas > 0 ? ',' : '.'
}

/**
 * The decimal separator that a number proves, `both` for one such as 1,234. Undefined for whole
 * numbers and for words such as `n.a.` or `50 Stk.`.
 */
export function signIn(text: string): Decimal | 'both' | undefined {
  if (text === '') return undefined
  if (SIMPLE.test(text)) return text.includes('.') ? '.' : undefined
  const { digits } = bare(text)
  const proven = provenDecimal(digits)
  if (proven) return plainOf(digits, proven) === undefined ? undefined : proven
  const hasSign = digits.includes('.') || digits.includes(',')
  return hasSign && plainOf(digits, '.') !== undefined ? 'both' : undefined
}

const withoutCurrency = (amount: string): string =>
  amount.replace(CURRENCY_BEFORE, '').trimStart().replace(CURRENCY_BEHIND, '').trimEnd()

/**
 * `1.299,-` and `12.–` are whole amounts whose decimal separator stays, since it proves the other
 * one. The sign of `19 %` is dropped, as its column implies it.
 */
const withoutTail = (digits: string): string => digits.replace(/(?<=[.,])[-–—]{1,2}$|%$/, '')

function bare(text: string): { sign: string; digits: string } {
  const amount = withoutCurrency(text.trim()).replace(SPACES, '').replace('\u2212', '-')
  const [, sign, digits] = /^([+-]?)(.*)$/s.exec(amount)!
  // The sign may precede the currency, as in -€5.
  return { sign: sign!, digits: withoutTail(withoutCurrency(digits!)) }
}

/**
 * Parses a number with currency, thousands separators, and decimal comma or point. `decimal`
 * decides ambiguous numbers such as 1,234. Undefined for other text.
 */
export function parseNumber(text: string, decimal: Decimal): number | undefined {
  if (SIMPLE.test(text)) return Number(text)
  const { sign, digits } = bare(text)
  const plain = plainOf(digits, provenDecimal(digits) ?? decimal)
  if (plain === undefined) return undefined
  const value = Number(`${sign}${plain}`)
  return Number.isFinite(value) ? value : undefined
}

const plainOf = (digits: string, decimal: Decimal): string | undefined =>
  SCIENTIFIC.test(digits) ? digits.replace(',', '.') : withPoint(digits, decimal)

function withPoint(digits: string, decimal: Decimal): string | undefined {
  const [whole, fraction, ...more] = digits.split(decimal) as [string, string?, ...string[]]
  if (more.length > 0) return undefined
  const grouping = other(decimal)
  if (!PLAIN.test(whole) && !isGrouped(whole, grouping)) return undefined
  if (fraction !== undefined && !PLAIN.test(fraction)) return undefined
  const plain = whole.replaceAll(grouping, '')
  if (plain === '' && !fraction) return undefined
  return fraction ? `${plain || '0'}.${fraction}` : plain
}

/** Folded words in six languages, as users and spreadsheets write them. */
const YES = new Set(
  'true yes y t 1 x ja j oui si wahr vrai verdadero vero waar'.split(' ').concat('in stock'),
)
const NO = new Set(
  'false no n f 0 nein non nee falsch faux falso onwaar'.split(' ').concat('out of stock'),
)
/** All words for yes and no are shorter. */
const LONGEST_WORD = 40

/** Parses yes or no in many spellings, also a count. Undefined for anything else. */
export function parseBoolean(text: string): boolean | undefined {
  const word = text.length > LONGEST_WORD ? text : fold(text)
  if (YES.has(word)) return true
  if (NO.has(word)) return false
  const count = parseNumber(word, '.')
  return count === undefined ? undefined : count > 0
}

/** Several values in one cell. */
export const splitList = (text: string): string[] => splitTrimmed(text, /[|;\n]/)

const ADDRESS = /^(?:https?:\/\/|\/)/i

/** Splits addresses by separators that an address may contain, if each part is an address. */
export const splitAddresses = (text: string): string[] =>
  ['|', ';', '\n', ','].reduce(
    (parts, sign) => parts.flatMap((part) => addresses(part, sign)),
    [text],
  )

/** Pictures in one cell, by addresses or by names of files. */
export function splitPictures(text: string): string[] {
  const parts = splitAddresses(text)
  return ADDRESS.test(parts[0]!) ? parts : splitList(text)
}

function addresses(text: string, sign: string): string[] {
  if (!text.includes(sign)) return [text]
  const parts = splitTrimmed(text, sign)
  return parts.length > 0 && parts.every((part) => ADDRESS.test(part)) ? parts : [text]
}
