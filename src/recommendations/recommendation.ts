import type { Match, RecommendationResponse } from '../extensions/schemas.ts'

export const rounded = (score: number): number => Math.round(score * 1000) / 1000

/** Products that are recommended for others: each once, the best first. */
export function recommendation(matches: readonly Match[]): RecommendationResponse {
  const best = matches.toSorted((a, b) => b.score - a.score)
  return {
    error: null,
    success: true,
    products: [...new Set(best.map(({ productId }) => productId))],
    matchedProducts: [],
    possibleProducts: best,
  }
}
