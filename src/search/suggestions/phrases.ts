import { singular } from '../../products/catalog-words.ts'
import type { Product } from '../../products/product.ts'
import { productTypes } from '../../products/product-type.ts'
import { fold } from '../../text.ts'
import type { FoundNames } from './vocabulary.ts'

/** Words from the one that is typed to what the product is. */
const LONGEST = 3

/**
 * What may be searched, in the catalog's own words: the names of manufacturers and categories, those
 * after the manufacturer where one was typed, and the words of found products from the typed one to
 * what they are.
 */
export function catalogPhrases(
  text: string,
  { makers, categories, products }: FoundNames & { products: readonly Product[] },
): string[] {
  const names = categories.map(({ node, manufacturer }) =>
    manufacturer === undefined ? node.name : `${manufacturer} ${node.name}`,
  )
  return [...makers, ...names, ...products.flatMap((product) => phrasesIn(product, text))]
}

const WORD = /[\p{L}\p{M}'’-]+|[^\p{L}\p{M}\s]+/gu
const OF_LETTERS = /^[\p{L}\p{M}]/u

/** `cordl` of `Ranger 18 V cordless drill driver`: `cordless drill driver`. */
function phrasesIn(product: Product, text: string): string[] {
  const typed = fold(text).split(' ')
  const shown = (product.name ?? '').toLowerCase().match(WORD) ?? []
  const words = shown.map(fold)
  const isTyped = (word: string, place: number, last: boolean) =>
    last ? word.startsWith(typed[place]!) : word === typed[place]
  const first = words.findIndex((_, at) =>
    typed.every((_, place) => isTyped(words[at + place] ?? '', place, place === typed.length - 1)),
  )
  if (first === -1) return []
  const types = new Set(productTypes(product))
  const last = first + typed.length - 1
  const end = words.findIndex((word, at) => at >= last && types.has(singular(word)))
  if (end === -1 || end - last >= LONGEST) return []
  const phrase = shown.slice(first, end + 1)
  return phrase.every((word) => OF_LETTERS.test(word)) ? [phrase.join(' ')] : []
}
