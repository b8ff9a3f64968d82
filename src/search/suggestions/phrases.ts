import { singular } from '../../products/catalog-words.ts'
import type { Product } from '../../products/product.ts'
import { productTypes } from '../../products/product-type.ts'
import { fold } from '../../text.ts'
import type { FoundNames } from './vocabulary.ts'

/** Most words between the last typed one and the product type. */
const LONGEST = 3

/**
 * Query suggestions in the catalog's own words: names of manufacturers and categories, the latter
 * with a manufacturer if one was typed, and phrases of product names that run from the typed text
 * to the product type.
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

/** For `cordl` and `Ranger 18 V cordless drill driver`, returns `cordless drill driver`. */
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
