import type { Steps } from '../../platform/steps.ts'
import { type KeyedProduct, keyTexts, type RowKey } from './row-keys.ts'

/** Products to remember by one key: those that a message names, and one more. */
export const SHARING = 6

export type IndexedProduct = KeyedProduct & { readonly id: string }

/** A product with some of the wanted keys, by their texts. */
export interface ProductMatch {
  readonly id: string
  readonly texts: readonly string[]
}

/** Collects the first products of each wanted key, with manufacturers spelled as in the rows. */
export function createKeyMatches(wanted: readonly RowKey[], spell: (name: string) => string) {
  /** The number of products that each key still lacks. */
  const lacking = new Map(wanted.map(({ text }) => [text, SHARING]))
  const found: ProductMatch[] = []
  return {
    found,
    /** Whether no further product matters. */
    isComplete: () => lacking.size === 0,
    *add(products: readonly IndexedProduct[]): Steps<void> {
      for (const product of products) {
        const manufacturer = product.manufacturer && spell(product.manufacturer)
        const own = new Set(keyTexts({ ...product, manufacturer }))
        const texts = [...own].filter((text) => lacking.has(text))
        for (const text of texts) {
          const left = lacking.get(text)! - 1
          if (left > 0) lacking.set(text, left)
          else lacking.delete(text)
        }
        if (texts.length > 0) found.push({ id: product.id, texts })
        yield
      }
    },
  }
}
