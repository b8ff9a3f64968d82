import type { Word } from '../../search/understanding/words.ts'
import { fold, partNumberForms, withoutEnds, wordSet } from '../../text.ts'
import type { JudgedProduct } from './product.ts'

const APART = /[^\p{L}\p{N}.]+/u

/** The words of a text for comparisons: folded, without punctuation around them. */
export const plainWords = (text: string): string[] =>
  fold(text)
    .split(APART)
    .map((word) => withoutEnds(word, '.'))
    .filter((word) => word !== '')

/** Stop words. */
const COMMON = wordSet(' ', [
  'a an and or the of in for with to by on und oder der die das den des mit fur von im zu auf ein eine',
])

const stem = (word: string): string =>
  word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word

/** How well the words of a line fit a product. */
export interface Likeness {
  /** Share of the line's words that the product has anywhere, 0 to 1; 0 without words. */
  readonly coverage: number
  /**
   * Share of the words in the product's name, without its manufacturer, that the line has, 0 to 1.
   */
  readonly nameShare: number
  /** Whether the line has a word that looks like a number and does not occur in the product. */
  readonly foreign: boolean
}

/** Compares words, of which the line may split one in two. `fitting`: words of matching numbers. */
export function likenessOf(
  words: readonly Word[],
  { words: has, joined, named }: JudgedText,
  fitting: ReadonlySet<string>,
): Likeness {
  const parts = words.map(({ text }) => plainWords(text))
  const isFound = ({ form }: Word, at: number): boolean =>
    fitting.has(form) ||
    joined.has(form) ||
    parts[at]!.every((word) => has.has(stem(word))) ||
    joined.has(form + (words[at + 1]?.form ?? '')) ||
    joined.has((words[at - 1]?.form ?? '') + form)
  const asked = words.map((word, at) => ({ word, isFound: isFound(word, at) }))
  const wanted = asked.filter(({ word }) => !COMMON.has(word.form))
  const lineWords = new Set(parts.flat().map(stem))
  return {
    coverage: share(wanted, (one) => one.isFound),
    nameShare: share(named, (word) => lineWords.has(stem(word))),
    foreign: asked.some((one) => !one.isFound && isNumber(one.word.form)),
  }
}

const share = <T>(list: readonly T[], isOne: (one: T) => boolean): number =>
  list.length === 0 ? 0 : list.filter(isOne).length / list.length

const isNumber = (form: string): boolean =>
  /^\p{N}{5,}$/u.test(form) ||
  (form.length >= 6 && /\p{L}/u.test(form) && /\p{N}.*\p{N}/u.test(form))

/** The words of a product, prepared for comparisons. */
export interface JudgedText {
  readonly words: ReadonlySet<string>
  /** Normalized forms of its words and numbers. */
  readonly joined: ReadonlySet<string>
  /** Words of its name, without its manufacturer. */
  readonly named: readonly string[]
}

/** `numbers`: the normalized forms of its numbers, apart from the manufacturer's. */
export function judgedTextOf(product: JudgedProduct, numbers: readonly string[]): JudgedText {
  const texts = [
    product.name,
    product.description,
    product.manufacturer,
    product.manufacturerPartNumber,
    product.category,
    product.subCategory,
  ]
  const parts = texts.flatMap((text) => (text ? text.split(/\s+/) : []))
  const made = new Set(plainWords(product.manufacturer ?? ''))
  return {
    words: new Set(parts.flatMap(plainWords).map(stem)),
    // `CB436A` in a line may be `CB-436A` here.
    joined: new Set([...parts.flatMap(partNumberForms), ...numbers]),
    named: plainWords(product.name ?? '').filter((word) => !COMMON.has(word) && !made.has(word)),
  }
}
