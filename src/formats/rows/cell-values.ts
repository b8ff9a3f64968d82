import { fold } from '../../text.ts'

/** The sign before decimals; the other one groups thousands. */
export type Decimal = '.' | ','

// A currency sign or a three-letter code, before or behind the amount.
const CURRENCY_BEFORE = /^(?:\p{Sc}|[A-Z]{3}\b|[A-Z]{2}\$)/u
const CURRENCY_BEHIND = /(?:\p{Sc}|\b[A-Z]{3})$/u
const SPACES = /[\s\u00a0\u202f'’]/g
const PLAIN = /^\d*$/
/** What every way of writing numbers reads the same: most of them. */
const SIMPLE = /^\d{1,15}(?:\.\d{1,2})?$/
const SCIENTIFIC = /^\d+(?:[.,]\d+)?e[+-]?\d{1,3}$/i

/** Digits in groups of three, as thousands are written. */
const isGrouped = (text: string, sign: Decimal): boolean => {
  const [first, ...groups] = text.split(sign)
  return (
    groups.length > 0 &&
    /^[1-9]\d{0,2}$/.test(first!) &&
    groups.every((group) => /^\d{3}$/.test(group))
  )
}

const other = (sign: Decimal): Decimal => (sign === '.' ? ',' : '.')

/** The decimal sign that a number proves; undefined where it is ambiguous or absent. */
function provenDecimal(text: string): Decimal | undefined {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  if (last === -1) return undefined
  const sign = text[last] as Decimal
  if (text.includes(other(sign))) return sign
  if (text.indexOf(sign) !== last) return other(sign)
  return isGrouped(text, sign) ? undefined : sign
}

/** How the numbers of a file are written, by those that prove it; a point where none does. */
export function detectDecimal(texts: Iterable<string>): Decimal {
  let commas = 0
  for (const text of texts) {
    const proven = provenDecimal(bare(text).digits)
    if (proven) commas += proven === ',' ? 1 : -1
  }
  return commas > 0 ? ',' : '.'
}

const withoutCurrency = (amount: string): string =>
  amount.replace(CURRENCY_BEFORE, '').trimStart().replace(CURRENCY_BEHIND, '').trimEnd()

/** `12,-` and `12.–` are whole amounts; the sign of `19 %` says nothing that its column does not. */
const withoutTail = (digits: string): string => digits.replace(/(?:[.,][-–—]{1,2}|%)$/, '')

function bare(text: string): { sign: string; digits: string } {
  const amount = withoutCurrency(text.trim()).replace(SPACES, '').replace('\u2212', '-')
  const [, sign, digits] = /^([+-]?)(.*)$/s.exec(amount)!
  // As in -€5.
  return { sign: sign!, digits: withoutTail(withoutCurrency(digits!)) }
}

/**
 * A number as people write it: currency, grouped thousands, decimal comma or point. `decimal`
 * decides where a number could be read both ways, as 1,234. Undefined for what is no number.
 */
export function parseNumber(text: string, decimal: Decimal): number | undefined {
  if (SIMPLE.test(text)) return Number(text)
  const { sign, digits } = bare(text)
  const plain = SCIENTIFIC.test(digits)
    ? digits.replace(',', '.')
    : withPoint(digits, provenDecimal(digits) ?? decimal)
  if (plain === undefined) return undefined
  const value = Number(`${sign}${plain}`)
  return Number.isFinite(value) ? value : undefined
}

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

/** Folded, in six languages: as people write it, and as spreadsheets in their language do. */
const YES = new Set(
  'true yes y t 1 x ja j oui si wahr vrai verdadero vero waar'.split(' ').concat('in stock'),
)
const NO = new Set(
  'false no n f 0 nein non nee falsch faux falso onwaar'.split(' ').concat('out of stock'),
)
/** No word for either is as long. */
const LONGEST_WORD = 40

/** Yes or no as people write it, a count included. Undefined for anything else. */
export function parseBoolean(text: string): boolean | undefined {
  const word = text.length > LONGEST_WORD ? text : fold(text)
  if (YES.has(word)) return true
  if (NO.has(word)) return false
  const count = parseNumber(word, '.')
  return count === undefined ? undefined : count > 0
}

/** Several values in one cell. */
export const splitList = (text: string): string[] =>
  text
    .split(/[|;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const ADDRESS = /^(?:https?:\/\/|\/)/i

/** Addresses between signs that an address may hold itself: told apart where each part is one. */
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
  const parts = text
    .split(sign)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return parts.length > 0 && parts.every((part) => ADDRESS.test(part)) ? parts : [text]
}
