import { DEFAULT_LANGUAGE, type Language } from '../languages/language.ts'
import { foldedWords, token } from '../text.ts'
import type { Product } from './product.ts'
import { productTypes } from './product-type.ts'

/** What a word may be to a product: what it is, or who makes it. */
export type WordRole = 'type' | 'brand'

/** A term of `search.roles`; the word is folded. */
export const roleTerm = (role: WordRole, word: string): string => token(role, word)

/** The words that name what a product is, where it is English, and who makes it. */
export function rolesOf(product: Product, language: Language = DEFAULT_LANGUAGE): string[] {
  const brand = foldedWords(product.manufacturer ?? '')
  return [
    // Other languages have them in a text, whose analysis knows their plurals.
    ...(language === 'en' ? productTypes(product) : []).map((type) => roleTerm('type', type)),
    ...new Set(brand.map((word) => roleTerm('brand', word))),
  ]
}
