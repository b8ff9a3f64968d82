import { SEPARATOR, token } from '../text.ts'
import type { Product } from './product.ts'

/** Separates the levels of a path, also within a segment, category or sub-category. */
export const ARROW = ' > '

/** The last level; deeper ones are part of its name. */
const DEEPEST = 12

type Classified = Pick<Product, 'segment' | 'category' | 'subCategory'>

/** The term of `search.path`; it needs segment, category or subCategory. */
export function pathTerm({ segment, category, subCategory }: Classified): string | undefined {
  if (segment === null && category === null && subCategory === null) return undefined
  return token(segment ?? '', category ?? '', subCategory ?? '')
}

/** The names in a term of `search.path`, topmost first. */
export function levelsOf(term: string): string[] {
  const names = term
    .split(SEPARATOR)
    .filter((name) => name !== '')
    .flatMap((name) => name.split(ARROW))
  const deepest = names.slice(DEEPEST - 1).join(ARROW)
  return [...names.slice(0, DEEPEST - 1), ...(deepest === '' ? [] : [deepest])]
}

/** The paths of a product's category and of all above it, which `categoryPath` is compared with. */
export function categoryPaths(product: Classified): string[] {
  const term = pathTerm(product)
  if (term === undefined) return []
  const levels = levelsOf(term)
  return levels.map((_, at) => levels.slice(0, at + 1).join(ARROW))
}
