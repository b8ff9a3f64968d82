import { type CatalogScope, openCatalog } from '../catalogs/store.ts'
import { constant, none, some, term } from '../elastic/clauses.ts'
import type { SearchBody } from '../elastic/search.ts'
import { Invalid } from '../errors.ts'
import type { Call, ProductIdentity, RunRequest } from '../extensions/contract.ts'
import type { PossibleMatchesResponse } from '../extensions/schemas.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { inPacedSteps } from '../platform/pacing.ts'
import { slicesOf } from '../platform/slices.ts'
import type { Steps } from '../platform/steps.ts'
import type { ManufacturerNames } from '../products/manufacturer-names.ts'
import { manufacturerNamesOf } from '../products/manufacturers.ts'
import type { Product } from '../products/product.ts'
import { foundProductsOf } from '../products/product-documents.ts'
import type { SearchContext } from '../search/conditions.ts'
import { relaxedQuery } from '../search/keywords.ts'
import { understand } from '../search/understanding/understanding.ts'
import { partNumberForms } from '../text.ts'
import { type ExternalItem, type ItemFit, itemFit, type ReadItem, readItem } from './ranking.ts'

/** An item to match, its catalog, and its id in the answer. */
interface MatchQuery<I = ExternalItem> {
  readonly item: I
  readonly catalog: string
  /** The catalog product for which matches are wanted; null for an item of another system. */
  readonly product: string | null
  readonly externalId: string
}

type PossibleMatch = PossibleMatchesResponse['products'][number]

const CANDIDATES = 30
/** Higher than any score by words. */
const EXACT = 1_000_000
const AT_ONCE = 2

/** Products that may be the same as an item of another system or a catalog product, best first. */
export async function possibleMatches(call: Call<RunRequest>): Promise<PossibleMatchesResponse> {
  const { ctx } = call
  const wanted = matchQueries(call)
  // Before the first search, since a missing catalog fails the whole request.
  const scoped = await Promise.all(
    wanted.map(async (query) => ({ query, scope: await openCatalog(ctx, query.catalog) })),
  )
  const names = await manufacturerNamesOf(ctx)
  const products: PossibleMatch[] = []
  for (const slice of slicesOf(scoped, AT_ONCE)) {
    const found = await Promise.all(
      slice.map(({ query, scope }) => matchesOf(ctx, scope, { query, names })),
    )
    products.push(...found.flat())
  }
  return { error: null, success: true, products }
}

/** The items to match. Throws Invalid when there is nothing to look for. */
function matchQueries({ installed, request }: Pick<Call<RunRequest>, 'installed' | 'request'>) {
  const { additionalFields: fields, products } = request
  const item: ExternalItem = {
    name: fields.name ?? null,
    manufacturer: fields.manufacturer ?? null,
    partNumber: fields.partNumber ?? fields.manufacturerPartNumber ?? null,
    upcs: fields.upc === undefined ? [] : [fields.upc],
  }
  const label = item.partNumber ?? item.upcs[0] ?? item.name
  const external: MatchQuery[] =
    label === null || label === undefined
      ? []
      : [
          {
            item,
            catalog: installed.catalog ?? '',
            product: null,
            externalId: (fields.id ?? label).slice(0, limits.fieldValueLength),
          },
        ]
  const wanted = [...external, ...products.map(matchQueryFor)]
  if (wanted.length === 0) {
    throw new Invalid(
      'additionalFields: send at least one of name, partNumber and upc, or products',
    )
  }
  if (wanted.length > limits.matchedItems) {
    throw new Invalid(`products: at most ${limits.matchedItems} at once`)
  }
  return wanted
}

const matchQueryFor = (product: ProductIdentity): MatchQuery => ({
  item: {
    name: product.name,
    manufacturer: product.manufacturer,
    partNumber: product.manufacturerPartNumber,
    upcs: product.upcs,
  },
  catalog: product.catalog,
  product: product.id,
  externalId: product.id,
})

/** Products that share a number or words with the item. */
function candidatesBody(
  { item, product }: MatchQuery<ReadItem>,
  { scope, language }: Pick<SearchContext, 'scope' | 'language'>,
): SearchBody {
  // No product has a longer number, and Elasticsearch limits the length of terms.
  const forms = [...partNumberForms(item.partNumber ?? ''), ...item.upcForms].filter(
    (form) => form.length <= limits.idLength,
  )
  const asked = understand((item.name ?? '').slice(0, limits.keywordsLength), { language })
  const exact =
    forms.length === 0 ? undefined : constant({ terms: { 'search.partNumbers': forms } }, EXACT)
  const either = some([
    exact,
    asked.words.length === 0 ? undefined : relaxedQuery(asked, { scope }),
  ])
  const others = none([product === null ? undefined : term('search.id', product)])
  return {
    size: CANDIDATES,
    track_total_hits: false,
    _source: ['product'],
    sort: ['_score', { 'search.id': 'asc' }],
    query: {
      bool: { must: [either ?? { match_none: {} }], ...(others ? { filter: [others] } : {}) },
    },
  }
}

async function matchesOf(
  ctx: Context,
  scope: CatalogScope,
  { query: asked, names }: { readonly query: MatchQuery; readonly names: ManufacturerNames },
): Promise<PossibleMatch[]> {
  const { signal } = ctx
  const query = { ...asked, item: await inPacedSteps(readItem(asked.item), { signal }) }
  const products = foundProductsOf(ctx, scope)
  const body = candidatesBody(query, {
    scope: products.place.scope!,
    language: scope.language,
  })
  const { hits } = await products.search(body, { signal, most: limits.answerBytes })
  const found = hits.hits.map(({ _source }) => _source!.product)
  return ranked(query, await inPacedSteps(fitting(query.item, found, names), { signal }))
}

interface FittingProduct {
  readonly one: Product
  readonly fit: ItemFit
}

/** The products that fit an item. */
function* fitting(
  item: ReadItem,
  products: readonly Product[],
  names: ManufacturerNames,
): Steps<FittingProduct[]> {
  const found: FittingProduct[] = []
  for (const one of products) {
    const fit = yield* itemFit(item, one, names)
    if (fit) found.push({ one, fit })
    yield
  }
  return found
}

/** The best matches first, equal ones by id. */
function ranked(
  { product, externalId }: MatchQuery,
  fits: readonly FittingProduct[],
): PossibleMatch[] {
  return fits
    .toSorted((a, b) => b.fit.score - a.fit.score || (a.one.id < b.one.id ? -1 : 1))
    .slice(0, limits.possibleMatches)
    .map(({ one, fit }) => ({
      acId: product ?? one.id,
      id: product === null ? externalId : one.id,
      mfp: one.manufacturerPartNumber,
      name: one.name,
      score: Math.round(fit.score * 1000) / 1000,
      reason: fit.reason,
    }))
}
