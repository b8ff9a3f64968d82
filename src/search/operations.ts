import { z } from 'zod'
import { countSearch } from '../analytics/count-search.ts'
import { popularProducts } from '../analytics/popular-products.ts'
import { type CatalogScope, openCatalog } from '../catalogs/store.ts'
import { limits } from '../limits.ts'
import { both, type Context, operation, type RequestFacts } from '../operation.ts'
import { productsOf } from '../products/product-documents.ts'
import { viewerOf } from '../products/view.ts'
import { CatalogQuery, Paging, QueryFlag } from '../shapes.ts'
import { chargeSearch } from '../usage/charge.ts'
import { withCheckedOffers } from './check-offers.ts'
import { type Criteria, criteriaOf, defaultCriteria } from './criteria.ts'
import { readHistory, recordSearch } from './history.ts'
import { orderedBySignals } from './popular-lifts.ts'
import { quicksearchBody, readQuicksearch } from './quicksearch.ts'
import { SearchBody, type SearchRequest, searchOf } from './request-schemas.ts'
import {
  CountResponse,
  Metadata,
  QuicksearchResponse,
  SearchHistory,
  SearchResponse,
  SimpleSearchResponse,
} from './response-schemas.ts'
import { refuseRestricted } from './restricted-criteria.ts'
import { runCount, runMetadata, runSearch } from './run.ts'
import { Include } from './suggestions/schemas.ts'
import { suggest } from './suggestions/suggest.ts'
import type { SearchTarget } from './target.ts'
import { tuningFor } from './tuning/store.ts'
import { walksOf } from './walk.ts'

type CatalogInput = z.output<typeof CatalogQuery> & RequestFacts
type SearchInput = CatalogInput & { readonly body: z.output<typeof SearchBody> }

interface SearchParts {
  readonly catalog: string | undefined
  readonly body: SearchRequest
}

const KEYS = ['search'] as const

/** Runs `work` on the active catalog of a request. */
async function inCatalog<T>(
  ctx: Context,
  catalog: string | undefined,
  work: (target: SearchTarget, scope: CatalogScope) => Promise<T>,
): Promise<T> {
  const scope = await openCatalog(ctx, catalog, { active: true })
  const { caller, clock, organization, signal } = ctx
  const products = productsOf(ctx, scope)
  const walks = walksOf(ctx, products)
  const { language } = scope
  const tuning = await tuningFor(ctx, scope)
  const now = clock.now()
  const isOwner = scope.owner === organization.id || caller.parentRole !== null
  const readsSettings = isOwner && caller.keyType !== 'search'
  const viewer = viewerOf(ctx)
  return work({ products, viewer, language, signal, walks, tuning, now, readsSettings }, scope)
}

/** Hits before the page; null on later pages of a walk, whose cursor does not count them. */
const hitsBefore = ({ from, cursor }: Criteria): number | null =>
  cursor === null || cursor === '*' ? from : null

/** One charged search. */
async function answered(ctx: Context, { catalog, body }: SearchParts, criteria: Criteria) {
  const { found, scope } = await inCatalog(ctx, catalog, async (target, scope) => {
    const popular = criteria.cursor === null ? popularProducts(ctx, scope.name) : undefined
    const asked = orderedBySignals(criteria, target.tuning)
    const run = (signal: AbortSignal) => runSearch({ ...target, signal, popular }, asked)
    return { found: await chargeSearch(ctx, run), scope }
  })
  recordSearch(ctx, { catalog: scope.name, request: body, found })
  const searchId = countSearch(ctx, {
    ...body,
    catalog: scope.name,
    keywords: criteria.keywords,
    from: hitsBefore(criteria),
    total: found.total,
    productIds: found.stored.map(({ id }) => id),
  })
  const answer = await withCheckedOffers(ctx, scope, found, body)
  return searchId === undefined ? answer : { ...answer, searchId }
}

const search = operation({
  name: 'Search',
  summary: 'Finds products, with the facets and ranges that narrow the search further.',
  access: 'viewer',
  keys: KEYS,
  cost: 4,
  fails: ['exhausted'],
  bindings: both('POST', '/api/search', {
    query: CatalogQuery,
    body: SearchBody,
    answer: SearchResponse,
  }),
  handle: async (input: SearchInput, ctx) => {
    const started = performance.now()
    const asked = searchOf(input)
    const criteria = refuseRestricted(criteriaOf(asked.body), ctx.caller)
    const answer = await answered(ctx, asked, criteria)
    return { ...answer, took: Math.round(performance.now() - started) }
  },
})

const simpleSearch = operation({
  name: 'Simple Search',
  summary: 'Finds the same products in the same order as Search, without facets.',
  access: 'viewer',
  keys: KEYS,
  cost: 4,
  fails: ['exhausted'],
  bindings: both('POST', '/api/search/simple', {
    query: CatalogQuery,
    body: SearchBody,
    answer: SimpleSearchResponse,
  }),
  handle: (input: SearchInput, ctx) => {
    const asked = searchOf(input)
    const criteria = refuseRestricted(criteriaOf(asked.body), ctx.caller)
    return answered(ctx, asked, { ...criteria, metadata: false })
  },
})

const count = operation({
  name: 'Count',
  summary: 'Counts the products that the same Search finds.',
  access: 'viewer',
  keys: KEYS,
  cost: 4,
  bindings: both('POST', '/api/search/count', {
    query: CatalogQuery,
    body: SearchBody,
    answer: CountResponse,
  }),
  handle: (input: SearchInput, ctx) => {
    const { catalog, body } = searchOf(input)
    const criteria = refuseRestricted(criteriaOf(body), ctx.caller)
    return inCatalog(ctx, catalog, async (target, { name }) => ({
      count: await runCount(target, criteria),
      catalog: name,
    }))
  },
})

const MetadataQuery = CatalogQuery.extend({
  counts: QueryFlag(false).describe('true adds the number of products for each value.'),
})

const metadata = operation({
  name: 'Metadata',
  summary: 'Lists the segments, vendors, manufacturers, facets and numbers of a whole catalog.',
  access: 'viewer',
  keys: KEYS,
  cost: 8,
  bindings: both('GET', '/api/search/metadata', {
    query: MetadataQuery,
    answer: Metadata,
  }),
  handle: ({ catalog, counts }: z.output<typeof MetadataQuery>, ctx) =>
    inCatalog(ctx, catalog, (target) => runMetadata(target, { ...defaultCriteria, counts })),
})

const QuickQuery = CatalogQuery.extend({
  search: z
    .string()
    .trim()
    .min(1, 'required')
    .max(limits.nameLength)
    .describe('How the values begin, from the first character on.'),
  include: Include,
})

const quicksearch = operation({
  name: 'Quicksearch',
  summary:
    'Manufacturers, categories and part numbers that begin with a text, and what else it may become.',
  access: 'viewer',
  keys: KEYS,
  cost: 4,
  bindings: both('GET', '/api/search/quicksearch', {
    query: QuickQuery,
    answer: QuicksearchResponse,
  }),
  handle: ({ catalog, search: text, include }: z.output<typeof QuickQuery>, ctx) =>
    inCatalog(ctx, catalog, async (target, scope) => {
      const { products, signal } = target
      const [answer, suggestions] = await Promise.all([
        products.search(quicksearchBody(text), { signal }),
        include.length > 0 ? suggest({ ctx, catalog: scope, target, text }, include) : undefined,
      ])
      return { ...readQuicksearch(answer), ...(suggestions ? { suggestions } : {}) }
    }),
})

const HistoryQuery = Paging.extend({
  distinct: QueryFlag(false).describe(
    'true: of the searches for the same words only the newest, and none without words.',
  ),
})

const searchHistory = operation({
  name: 'Search History',
  summary: "The caller's searches, newest first.",
  access: 'viewer',
  bindings: both('GET', '/api/search/history', { query: HistoryQuery, answer: SearchHistory }),
  handle: async (page: z.output<typeof HistoryQuery>, ctx) => ({
    items: await readHistory(ctx, page),
  }),
})

export const searchOperations = [search, simpleSearch, count, metadata, quicksearch, searchHistory]
