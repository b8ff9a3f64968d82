import type { Word } from '../../search/understanding/words.ts'
import { fold, partNumberForms, withoutEnds } from '../../text.ts'
import type { JudgedProduct } from './product.ts'

const APART = /[^\p{L}\p{N}.]+/u

/** The words of a text as they are compared: folded, without punctuation around them. */
export const plainWords = (text: string): string[] =>
  fold(text)
    .split(APART)
    .map((word) => withoutEnds(word, '.'))
    .filter((word) => word !== '')

/** Small words, which any product may have. */
const COMMON = new Set(
  'a an and or the of in for with to by on und oder der die das den des mit fur von im zu auf ein eine'.split(
    ' ',
  ),
)

const stem = (word: string): string =>
  word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word

/** How much a line's words and a product have in common. */
export interface Likeness {
  /** Share of the line's words that the product has anywhere, 0 to 1; 0 without words. */
  readonly coverage: number
  /** Share of the words of the product's name, its manufacturer aside, that the line has, 0 to 1. */
  readonly nameShare: number
  /** The line has what looks like a number and is nowhere in the product. */
  readonly foreign: boolean
}

/** Compares words; one may be torn apart in the line. `fitting`: words of numbers that fit. */
export function likenessOf(
  words: readonly Word[],
  { words: has, joined, named }: JudgedText,
  fitting: ReadonlySet<string>,
): Likeness {
  const parts = words.map(({ text }) => plainWords(text))
  const isThere = ({ form }: Word, at: number): boolean =>
    fitting.has(form) ||
    joined.has(form) ||
    parts[at]!.every((word) => has.has(stem(word))) ||
    joined.has(form + (words[at + 1]?.form ?? '')) ||
    joined.has((words[at - 1]?.form ?? '') + form)
  const asked = words.map((word, at) => ({ word, isThere: isThere(word, at) }))
  const wanted = asked.filter(({ word }) => !COMMON.has(word.form))
  const said = new Set(parts.flat().map(stem))
  return {
    coverage: share(wanted, (one) => one.isThere),
    nameShare: share(named, (word) => said.has(stem(word))),
    foreign: asked.some((one) => !one.isThere && isNumber(one.word.form)),
  }
}

const share = <T>(list: readonly T[], isOne: (one: T) => boolean): number =>
  list.length === 0 ? 0 : list.filter(isOne).length / list.length

const isNumber = (form: string): boolean =>
  /^\p{N}{5,}$/u.test(form) ||
  (form.length >= 6 && /\p{L}/u.test(form) && /\p{N}.*\p{N}/u.test(form))

/** The words of a product as those of lines are compared with them. */
export interface JudgedText {
  readonly words: ReadonlySet<string>
  /** Forms of its words and numbers. */
  readonly joined: ReadonlySet<string>
  /** Those of its name, its manufacturer aside. */
  readonly named: readonly string[]
}

export function textOf(product: JudgedProduct): JudgedText {
  const texts = [
    product.name,
    product.description,
    product.manufacturer,
    product.manufacturerPartNumber,
    product.category,
    product.subCategory,
  ]
  const numbers = [product.id, ...(product.upcs ?? [])]
  for (const { vendorPartNumber } of product.vendors ?? []) numbers.push(vendorPartNumber ?? '')
  const parts = texts.flatMap((text) => (text ? text.split(/\s+/) : []))
  const made = new Set(plainWords(product.manufacturer ?? ''))
  return {
    words: new Set(parts.flatMap(plainWords).map(stem)),
    // `CB436A` of a line is `CB-436A` here.
    joined: new Set([...parts, ...numbers].flatMap(partNumberForms)),
    named: plainWords(product.name ?? '').filter((word) => !COMMON.has(word) && !made.has(word)),
  }
}
