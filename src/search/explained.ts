import { inSteps } from '../platform/in-steps.ts'
import type { SearchResult } from './run.ts'

/** What a search found, with what explains it; others have their turn in between. */
export async function explained({
  explanations,
  ...found
}: SearchResult): Promise<Omit<SearchResult, 'explanations'>> {
  if (!explanations) return found
  const all = await inSteps(explanations)
  const products = found.products.map((product, at) => ({ ...product, explanation: all[at]! }))
  return { ...found, products }
}
