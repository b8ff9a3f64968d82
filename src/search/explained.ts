import { inSteps } from '../platform/in-steps.ts'
import type { SearchResult } from './run.ts'

/** Adds the explanations to the products of a result, in steps that let other work run. */
export async function withExplanations({
  explanations,
  ...found
}: SearchResult): Promise<Omit<SearchResult, 'explanations'>> {
  if (!explanations) return found
  const all = await inSteps(explanations)
  const products = found.products.map((product, at) => ({ ...product, explanation: all[at]! }))
  return { ...found, products }
}
