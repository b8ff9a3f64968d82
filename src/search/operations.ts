import { z } from 'zod'
import type { CatalogScope } from '../catalogs/store.ts'
import { limits } from '../limits.ts'
import { bothRevisions, operation, type RequestFacts } from '../operation.ts'
import { CatalogQuery, Paging, QueryFlag } from '../shapes.ts'
import { allowedSearch, answeredSearch, inCatalog } from './answered-search.ts'
import { searchByAddress } from './cached-search.ts'
import { defaultCriteria } from './criteria.ts'
import { readHistory } from './history.ts'
import { manySearches } from './many-searches.ts'
import { quickNamesBody, quickNumbersBody, readQuicksearch } from './quicksearch.ts'
import { SearchRequest, SearchRequestBody, type SentSearch } from './request-schemas.ts'
import {
  CountResponse,
  Metadata,
  QuicksearchResponse,
  SearchHistory,
  SearchResponse,
  SimpleSearchResponse,
} from './response-schemas.ts'
import { runCount, runMetadata } from './run.ts'
import { Include } from './suggestions/schemas.ts'
import { suggest } from './suggestions/suggest.ts'
import type { SearchTarget } from './target.ts'

type SearchInput = SentSearch & RequestFacts

/** What the operations that take a SearchRequest have in common. */
const SEARCHING = { keys: ['search'], cost: 4, reads: true } as const
const request = { query: CatalogQuery, body: SearchRequestBody }

const search = operation({
  name: 'Search',
  summary: 'Searches products and returns facets and ranges for narrowing the search.',
  access: 'viewer',
  ...SEARCHING,
  fails: ['exhausted'],
  bindings: bothRevisions('POST', '/api/search', { ...request, answer: SearchResponse }),
  handle: async (input: SearchInput, ctx) => {
    const started = performance.now()
    const answer = await answeredSearch(ctx, allowedSearch(ctx, input))
    return { ...answer, took: Math.round(performance.now() - started) }
  },
})

const simpleSearch = operation({
  name: 'Simple Search',
  summary: 'Returns the same products in the same order as Search, without facets.',
  access: 'viewer',
  ...SEARCHING,
  fails: ['exhausted'],
  bindings: bothRevisions('POST', '/api/search/simple', {
    ...request,
    answer: SimpleSearchResponse,
  }),
  handle: (input: SearchInput, ctx) => {
    const asked = allowedSearch(ctx, input)
    return answeredSearch(ctx, { ...asked, criteria: { ...asked.criteria, metadata: false } })
  },
})

const count = operation({
  name: 'Count',
  summary: 'Counts the products that the same Search finds.',
  access: 'viewer',
  ...SEARCHING,
  bindings: bothRevisions('POST', '/api/search/count', { ...request, answer: CountResponse }),
  handle: (input: SearchInput, ctx) => {
    const { catalog, body, criteria, visitor } = allowedSearch(ctx, input)
    const where = { catalog, visitor, priceList: body.priceList }
    const counted = async (target: SearchTarget, { name }: CatalogScope) => ({
      count: (await runCount(target, criteria)).total,
      catalog: name,
    })
    return inCatalog(ctx, where, counted, criteria)
  },
})

const PriceList = SearchRequest.shape.priceList.describe(
  'Name of a price list of the catalog, whose prices apply. Defaults to the general prices.',
)

const MetadataQuery = CatalogQuery.extend({
  priceList: PriceList,
  counts: QueryFlag(false).describe(
    'Whether to include the number of products for each value. Defaults to `false`.',
  ),
})

const metadata = operation({
  name: 'Metadata',
  summary:
    'Lists the segments, vendors, manufacturers, facets and numeric attributes of a whole catalog.',
  access: 'viewer',
  keys: ['search'],
  cost: 8,
  bindings: bothRevisions('GET', '/api/search/metadata', {
    query: MetadataQuery,
    answer: Metadata,
  }),
  handle: ({ catalog, counts, priceList }, ctx) =>
    inCatalog(ctx, { catalog, priceList }, (target) =>
      runMetadata(target, { ...defaultCriteria, counts }),
    ),
})

const QuickQuery = CatalogQuery.extend({
  search: z
    .string()
    .trim()
    .max(limits.nameLength)
    .default('')
    .describe(
      'Text that the values start with. It can be empty if `include` contains `queries`, in which case only the most frequent queries are returned.',
    ),
  include: Include,
  priceList: PriceList,
}).refine(({ search, include }) => search !== '' || include.includes('queries'), {
  path: ['search'],
  message: 'required',
})

const quicksearch = operation({
  name: 'Quicksearch',
  summary:
    'Returns manufacturers, categories and part numbers that start with a text, with optional suggestions for completing it.',
  access: 'viewer',
  keys: ['search'],
  cost: 4,
  bindings: bothRevisions('GET', '/api/search/quicksearch', {
    query: QuickQuery,
    answer: QuicksearchResponse,
  }),
  handle: ({ catalog, priceList, search: text, include }, ctx) =>
    inCatalog(ctx, { catalog, priceList }, async (target, scope) => {
      const { products, signal } = target
      const numbersBody = quickNumbersBody(text)
      const [names, numbers, suggestions] = await Promise.all([
        text === '' ? undefined : products.search(quickNamesBody(text), { signal }),
        numbersBody && products.search(numbersBody, { signal }),
        include.length > 0 ? suggest({ ctx, catalog: scope, target, text }, include) : undefined,
      ])
      return { ...readQuicksearch(names, numbers), ...(suggestions ? { suggestions } : {}) }
    }),
})

const HistoryQuery = Paging.extend({
  distinct: QueryFlag(false).describe(
    'Whether to list only the newest of several searches for the same words, and none without words. Defaults to `false`.',
  ),
})

const searchHistory = operation({
  name: 'Search History',
  summary: "Lists the caller's searches, newest first.",
  access: 'viewer',
  cost: 8,
  bindings: bothRevisions('GET', '/api/search/history', {
    query: HistoryQuery,
    answer: SearchHistory,
  }),
  handle: async (page, ctx) => ({
    items: await readHistory(ctx, page),
  }),
})

export const searchOperations = [
  search,
  searchByAddress,
  simpleSearch,
  manySearches,
  count,
  metadata,
  quicksearch,
  searchHistory,
]
