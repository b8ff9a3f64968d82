import { refreshCoalesced } from '../../elastic/refresh.ts'
import type { Call, RecommendationExtension, RunRequest } from '../../extensions/contract.ts'
import type { Match } from '../../extensions/schemas.ts'
import { limits } from '../../limits.ts'
import { parseProductKey, productKey } from '../../products/product-key.ts'
import { readProductMembers } from '../../products/references.ts'
import { checkedProducts, manifestOf, recommendation, recommended } from '../recommendation.ts'
import { type Neighbour, neighboursOf } from './counting.ts'

/** Finds products that users of the organization often put into workspaces together. */
export const together: RecommendationExtension = {
  manifest: manifestOf({
    id: 'together',
    name: 'Bought together',
    description: 'Accessories: products that are often in the same workspaces.',
    fields: [],
  }),
  run: runTogether,
}

async function runTogether({ ctx, request }: Call<RunRequest>) {
  const asked = checkedProducts(request)
  const names = new Map(
    asked.map(({ catalog, id }) => [productKey({ catalog, productId: id }), id]),
  )
  if (names.size === 0) return recommendation([])
  await refreshCoalesced(ctx.elastic, 'workspaces', { signal: ctx.signal })
  const neighbours = best(await neighboursOf(ctx, [...names.keys()], request.workspace))
  const references = neighbours.map(({ product }) => parseProductKey(product))
  const members = ['id', 'manufacturerPartNumber', 'name', 'hidden'] as const
  const products = await readProductMembers(ctx, references, members)
  return recommendation(
    neighbours.flatMap(({ of, score }, at): Match[] => {
      const product = products[at]
      if (!product || product.hidden) return []
      const { catalog } = references[at]!
      return [recommended(product, { of: names.get(of)!, scorer: 'together', catalog, score })]
    }),
  )
}

/** For each product, those that it occurs with most. */
function best(neighbours: readonly Neighbour[]): Neighbour[] {
  const byProduct = Map.groupBy(neighbours, ({ of }) => of)
  return [...byProduct.values()].flatMap((group) =>
    group
      .toSorted((a, b) => b.score - a.score || (a.product < b.product ? -1 : 1))
      .slice(0, limits.recommendedProducts),
  )
}
