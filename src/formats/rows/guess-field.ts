import type { Field, FieldTarget } from './fields.ts'
import { parseCount, saysNothing, stockWord } from './stock-words.ts'

/** What the values of a column look like. */
export interface FieldGuess {
  readonly target: FieldTarget
  /** 0 to 1. */
  readonly confidence: number
}

/** Whether the last digit of a GTIN (8, 12, 13 or 14 digits) is right. */
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
/** How many values must be so for a column to be so. */
const MOST = 0.8

const isPart = (text: string): boolean =>
  PART.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text) && !ADDRESS.test(text)

type Test = readonly [FieldTarget, number, (text: string) => boolean]

const product = (field: 'upcs' | 'image' | 'unspsc' | 'manufacturerPartNumber' | 'description') =>
  ({ to: 'product', field }) as const
const vendor = (field: 'cost' | 'onHand') => ({ to: 'vendor', field }) as const

/** The surest first. */
const TESTS: readonly Test[] = [
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

/** The fields that a column may be by its values alone, the likeliest first. */
export function guessFields(values: readonly string[]): FieldGuess[] {
  const said = filledIn(values)
  if (said.length === 0) return []
  return TESTS.filter(([, , test]) => said.filter(test).length >= said.length * MOST).map(
    ([target, confidence]) => ({ target, confidence }),
  )
}

/** Whether most values cannot be of a field of this kind. */
export function contradicts(values: readonly string[], field: Field): boolean {
  const said = filledIn(values).filter((text) => !saysNothing(text))
  if (field.kind !== 'number') return false
  const isNumber = (text: string): boolean =>
    parseCount(text, '.') !== undefined || (field.isStock === true && stockWord(text) !== undefined)
  return said.filter(isNumber).length * 2 < said.length
}
