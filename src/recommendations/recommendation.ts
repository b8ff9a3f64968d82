import { Invalid } from '../errors.ts'
import type { Manifest, RecommendationExtension, RunRequest } from '../extensions/contract.ts'
import type { Match, RecommendationResponse } from '../extensions/schemas.ts'
import { limits } from '../limits.ts'
import type { Product } from '../products/product.ts'

/** The manifest of a built-in recommendation extension. */
export const manifestOf = (
  parts: Pick<Manifest, 'id' | 'name' | 'description' | 'fields'>,
): RecommendationExtension['manifest'] => ({
  kind: 'recommendation',
  image: null,
  configUrl: null,
  calls: ['run'],
  noStore: false,
  mapToVendor: false,
  allowAdHocItems: false,
  ...parts,
})

/** The products for which a run recommends others. Throws Invalid if the request names nothing. */
export function checkedProducts({ products, workspace }: RunRequest): RunRequest['products'] {
  if (products.length > 0 || workspace !== null) {
    return products.slice(0, limits.recommendationProducts)
  }
  throw new Invalid('products: send at least one, or a workspace')
}

export const rounded = (score: number): number => Math.round(score * 1000) / 1000

/** A match that recommends a product for `of`. */
export const recommended = (
  { id, manufacturerPartNumber, name }: Pick<Product, 'id' | 'manufacturerPartNumber' | 'name'>,
  { of, scorer, catalog, score }: { of: string; scorer: string; catalog: string; score: number },
): Match => ({
  productId: id,
  scorer,
  source: catalog,
  matchedTo: of,
  qty: null,
  mfp: manufacturerPartNumber,
  name,
  matchGroup: of,
  score: rounded(score),
})

/** An answer that recommends each product once, best first. */
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
