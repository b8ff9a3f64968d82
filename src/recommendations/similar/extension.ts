import { openCatalog } from '../../catalogs/store.ts'
import { multiSearch } from '../../elastic/multi-search.ts'
import type { Call, RecommendationExtension, RunRequest } from '../../extensions/contract.ts'
import type { Match } from '../../extensions/schemas.ts'
import { limits } from '../../limits.ts'
import type { Context } from '../../operation.ts'
import type { Product } from '../../products/product.ts'
import { foundProductsOf } from '../../products/product-documents.ts'
import { readCatalogProducts } from '../../products/references.ts'
import { withEmptyFields } from '../../products/selection.ts'
import type { ViewableDocument } from '../../products/view.ts'
import { checkedProducts, manifestOf, recommendation, recommended } from '../recommendation.ts'
import { likenessOf } from './likeness.ts'
import { similarBody } from './query.ts'

/** Finds alternatives to the named products. */
export const similar: RecommendationExtension = {
  manifest: manifestOf({
    id: 'similar',
    name: 'Similar products',
    description:
      'Products of the same category with similar values and prices, from any manufacturer.',
    fields: [],
  }),
  run: runSimilar,
}

async function runSimilar({ ctx, request }: Call<RunRequest>) {
  const asked = checkedProducts(request)
  const documents = await readCatalogProducts(
    ctx,
    asked.map(({ catalog, id }) => ({ catalog, productId: id })),
  )
  const found = documents.flatMap((document) => (document ? [document.product] : []))
  const byCatalog = Map.groupBy(found, ({ catalog }) => catalog)
  const matches = await Promise.all(
    [...byCatalog].map(([catalog, products]) => similarIn(ctx, catalog, products)),
  )
  return recommendation(matches.flat())
}

/** For each product, the most similar ones of its catalog, without the named products. */
async function similarIn(
  ctx: Context,
  catalog: string,
  products: readonly Product[],
): Promise<Match[]> {
  const scope = await openCatalog(ctx, catalog)
  const { place } = foundProductsOf(ctx, scope)
  const asked = products.flatMap((product) => {
    const body = similarBody(product, scope.language)
    return body ? [{ product, body }] : []
  })
  const bodies = asked.map(({ body }) => body)
  const named = new Set(products.map(({ id }) => id))
  const answers = await multiSearch<ViewableDocument>(ctx.elastic, place, bodies, {
    signal: ctx.signal,
  })
  return answers.flatMap(({ hits }, at) => {
    const { product } = asked[at]!
    const others = hits.hits.flatMap(({ _source }) =>
      named.has(_source!.product.id) ? [] : [withEmptyFields(_source!).product],
    )
    return others
      .map((other) => ({ other, score: likenessOf(product, other) }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limits.recommendedProducts)
      .map(({ other, score }) =>
        recommended(other, { of: product.id, scorer: 'similar', catalog, score }),
      )
  })
}
