import { DEFAULT_LANGUAGE, type Language } from '../languages/language.ts'
import { foldedWords, token } from '../text.ts'
import type { Product } from './product.ts'
import { productTypes } from './product-type.ts'

/** The role of a word for a product: its type or its manufacturer. */
export type WordRole = 'type' | 'brand'

/** A term of `search.roles` for a folded word. */
export const roleTerm = (role: WordRole, word: string): string => token(role, word)

/** The terms for the words of a product's manufacturer and, in English, of its types. */
export function rolesOf(product: Product, language: Language = DEFAULT_LANGUAGE): string[] {
  const brand = foldedWords(product.manufacturer ?? '')
  return [
    // Other languages index types as a text, whose analyzer handles plurals.
    ...(language === 'en' ? productTypes(product) : []).map((type) => roleTerm('type', type)),
    ...new Set(brand.map((word) => roleTerm('brand', word))),
  ]
}
