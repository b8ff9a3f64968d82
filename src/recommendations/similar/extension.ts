import { openCatalog } from '../../catalogs/store.ts'
import { multiSearch } from '../../elastic/multi-search.ts'
import type { Call, RecommendationExtension, RunRequest } from '../../extensions/contract.ts'
import type { Match } from '../../extensions/schemas.ts'
import { limits } from '../../limits.ts'
import type { Context } from '../../operation.ts'
import { mapPaced } from '../../platform/pacing.ts'
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
  const { signal } = ctx
  const matches: Match[] = []
  let answered = 0
  for await (const answers of multiSearch<ViewableDocument>(ctx.elastic, place, bodies, {
    signal,
  })) {
    const part = asked.slice(answered, answered + answers.length)
    answered += answers.length
    const pairs = answers.flatMap(({ hits }, at) =>
      hits.hits
        .filter(({ _source }) => !named.has(_source!.product.id))
        .map(({ _source }) => ({ at, product: part[at]!.product, document: _source! })),
    )
    const scored = await scoredPairs(ctx, pairs)
    // Keeps only the names of the products that were compared.
    const best = part.flatMap(({ product }, at) =>
      (scored.get(at) ?? [])
        .toSorted((a, b) => b.score - a.score)
        .slice(0, limits.recommendedProducts)
        .map(({ other, score }) =>
          recommended(other, { of: product.id, scorer: 'similar', catalog, score }),
        ),
    )
    matches.push(...best)
  }
  return matches
}

interface ComparedPair {
  /** The place of the first product among those that are asked for. */
  readonly at: number
  readonly product: Product
  readonly document: ViewableDocument
}

/**
 * Compares the products of each pair, yielding to other work; returned by `at`. Throws the reason
 * of the signal.
 */
export const scoredPairs = async (ctx: Pick<Context, 'signal'>, pairs: readonly ComparedPair[]) =>
  Map.groupBy(
    await mapPaced(ctx.signal, pairs, ({ at, product, document }) => {
      const other = withEmptyFields(document).product
      return { at, other, score: likenessOf(product, other) }
    }),
    ({ at }) => at,
  )
