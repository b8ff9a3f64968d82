import type { Random } from '../../demo/random.ts'
import { fold, normalisePartNumber } from '../../src/text.ts'
import type { CatalogProduct } from './products.ts'

/** A form in which people search for a product that they know. */
interface Form {
  /** The text that they type; empty if the product has no such value. */
  readonly text: (product: CatalogProduct, random: Random) => string
  /**
   * A key that is equal for products which this form cannot tell apart; absent if it identifies
   * one.
   */
  readonly key?: (product: CatalogProduct) => string
}

const numberOf = ({ manufacturerPartNumber }: CatalogProduct): string => manufacturerPartNumber
const numberKey = (product: CatalogProduct): string => normalisePartNumber(numberOf(product))
const makerOf = ({ manufacturer }: CatalogProduct): string => manufacturer ?? ''

/** Replaces punctuation by spaces; without any, inserts one space between a letter and a digit. */
export function spaced(number: string): string {
  const open = number.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return open.includes(' ')
    ? open
    : open.replace(/\p{L}(?=\p{N})|\p{N}(?=\p{L})/u, (letter) => `${letter} `)
}

const TITLE_WORDS = 6
const titleOf = ({ name }: CatalogProduct): string =>
  name.split(/\s+/).slice(0, TITLE_WORDS).join(' ')
const titleKey = (product: CatalogProduct): string => fold(titleOf(product))

const LONG_WORD = /^\p{L}{5,}$/u

/** Swaps two adjacent letters inside one long word; empty if there is no such word. */
export function swapped(text: string, random: Random): string {
  const words = text.split(' ')
  const places = words.flatMap((word, at) =>
    LONG_WORD.test(word)
      ? [...word].map((_, letter) => ({ at, letter })).slice(1, word.length - 2)
      : [],
  )
  const visible = places.filter(({ at, letter }) => words[at]![letter] !== words[at]![letter + 1])
  if (visible.length === 0) return ''
  const { at, letter } = random.pick(visible)
  const word = words[at]!
  words[at] = word.slice(0, letter) + word[letter + 1]! + word[letter]! + word.slice(letter + 2)
  return words.join(' ')
}

export const FORMS: Readonly<Record<string, Form>> = {
  'MPN exactly': { text: numberOf, key: numberKey },
  'MPN in lower case': { text: (product) => numberOf(product).toLowerCase(), key: numberKey },
  'MPN without punctuation': {
    text: (product) => numberOf(product).replace(/[^\p{L}\p{N}]/gu, ''),
    key: numberKey,
  },
  'MPN with spaces': { text: (product) => spaced(numberOf(product)), key: numberKey },
  'manufacturer + MPN': {
    text: (product) => makerOf(product) && `${makerOf(product)} ${numberOf(product)}`,
    key: (product) => `${fold(makerOf(product))} ${numberKey(product)}`,
  },
  'UPC or EAN': { text: ({ upcs }, random) => (upcs.length > 0 ? random.pick(upcs) : '') },
  'vendor part number': {
    text: ({ vendors }, random) =>
      vendors.length > 0 ? (random.pick(vendors).vendorPartNumber ?? '') : '',
  },
  id: { text: ({ id }) => id },
  'six words of the title': { text: titleOf, key: titleKey },
  'the same, a pair swapped': {
    text: (product, random) => swapped(titleOf(product), random),
    key: titleKey,
  },
}

/**
 * The highest share of products that can rank first if each is searched for: among several with the
 * same key only one can. Takes the keys of the sample, and those of the whole catalog.
 */
export function ceilingOf(sample: readonly string[], all: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const key of all) counts.set(key, (counts.get(key) ?? 0) + 1)
  return sample.reduce((sum, key) => sum + 1 / counts.get(key)!, 0) / sample.length
}
