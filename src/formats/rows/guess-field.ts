import { fold } from '../../text.ts'
import type { Field, FieldTarget } from './fields.ts'
import { parseCount, saysNothing, stockWord } from './stock-words.ts'

/** The field that the values of a column suggest. */
export interface FieldGuess {
  readonly target: FieldTarget
  /** 0 to 1. */
  readonly confidence: number
}

/** Whether the check digit of a GTIN (8, 12, 13 or 14 digits) is right. */
export function isGtin(text: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return false
  let sum = 0
  for (let at = 0; at < text.length - 1; at++) {
    sum += Number(text[text.length - 2 - at]) * (at % 2 === 0 ? 3 : 1)
  }
  return (10 - (sum % 10)) % 10 === Number(text.at(-1))
}

const ADDRESS = /^https?:\/\/\S+$/i
const PICTURE = /\.(?:jpe?g|png|gif|webp)(?:\?|$)/i
const AMOUNT = /^(?:\p{Sc}|[A-Z]{3})?\s?\d[\d.,' ]*[.,]\d{2}\s?(?:\p{Sc}|[A-Z]{3})?$/u
const COUNT = /^\d{1,6}$/
const PART = /^[A-Za-z0-9][\w./+-]{3,30}$/
const UNSPSC = /^[1-9]\d{7}$/
/** Maximum number of characters of a heading that are read. */
const LONGEST_HEADING = 100
/** Minimum share of values that must match. */
const MOST = 0.8

/** Whether most texts pass a test. Ends early once too many have failed it. */
function isMostly(texts: readonly string[], test: (text: string) => boolean): boolean {
  let passed = texts.length
  return texts.every((text) => test(text) || --passed >= texts.length * MOST)
}

const isPart = (text: string): boolean =>
  PART.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text) && !ADDRESS.test(text)

const product = (field: 'upcs' | 'image' | 'unspsc' | 'manufacturerPartNumber' | 'description') =>
  ({ to: 'product', field }) as const
const vendor = (field: 'cost' | 'onHand') => ({ to: 'vendor', field }) as const

/** The most certain first. */
const TESTS: readonly (readonly [FieldTarget, number, (text: string) => boolean])[] = [
  [product('upcs'), 0.75, isGtin],
  [product('image'), 0.7, (text) => ADDRESS.test(text) && PICTURE.test(text)],
  [vendor('cost'), 0.55, (text) => AMOUNT.test(text)],
  [product('manufacturerPartNumber'), 0.5, isPart],
  [product('unspsc'), 0.45, (text) => UNSPSC.test(text)],
  [product('description'), 0.4, (text) => text.length > 60 && text.includes(' ')],
  [vendor('onHand'), 0.35, (text) => COUNT.test(text)],
]

/** The texts that are not empty, trimmed. */
export const filledIn = (texts: readonly string[]): string[] =>
  texts.map((text) => text.trim()).filter((text) => text !== '')

/** Words of headings that are about money or stock, folded, in the languages of `headings.ts`. */
const MONEY = /price|cost|preis|prix|tarif|precio|prezzo|prijs|rrp|uvp|pvp/
const STOCK = /stock|qty|quantit|bestand|lager|existencia|giacenza|voorraad|warehouse/

/**
 * The fields that the values of a column suggest, most likely first, also by a word in its heading.
 */
export function guessFields(values: readonly string[], heading = ''): FieldGuess[] {
  const filled = filledIn(values)
  if (filled.length === 0) return []
  const word = fold(heading.slice(0, LONGEST_HEADING))
  const about = MONEY.test(word) ? vendor('cost') : STOCK.test(word) ? vendor('onHand') : undefined
  if (about && isMostly(filled, isCount)) {
    return [{ target: about, confidence: 0.55 }]
  }
  return TESTS.filter(([, , test]) => isMostly(filled, test)).map(([target, confidence]) => ({
    target,
    confidence,
  }))
}

const isCount = (text: string): boolean => parseCount(text, '.') !== undefined

/** Whether most values are words and not part numbers. */
export function isProse(values: readonly string[]): boolean {
  const filled = filledIn(values)
  const isName = (text: string): boolean => /\p{L}{2}/u.test(text) && !isPart(text)
  return filled.length > 0 && isMostly(filled, isName)
}

/** Whether most values cannot be of a field of this kind. */
export function contradicts(values: readonly string[], field: Field): boolean {
  const filled = filledIn(values).filter((text) => !saysNothing(text))
  if (field.kind !== 'number') return false
  const isNumber = (text: string): boolean =>
    parseCount(text, '.') !== undefined || (field.isStock === true && stockWord(text) !== undefined)
  return filled.filter(isNumber).length * 2 < filled.length
}
