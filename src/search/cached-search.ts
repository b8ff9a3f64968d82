import type { z } from 'zod'
import { popularProducts } from '../analytics/popular-products.ts'
import type { CatalogScope } from '../catalogs/store.ts'
import { generationOf } from '../elastic/generation.ts'
import { both, type Context, NOT_MODIFIED, operation, type RequestFacts } from '../operation.ts'
import { productsOf } from '../products/product-documents.ts'
import { type AllowedSearch, allowedSearch, answeredSearch, inCatalog } from './answered-search.ts'
import { checksOffers } from './check-offers.ts'
import { fingerprint } from './cursor.ts'
import { orderedBySignals } from './popular-lifts.ts'
import { searchBody } from './queries.ts'
import { SearchResponse } from './response-schemas.ts'
import { SearchQuery } from './search-query.ts'
import { ruledCriteria, type SearchTarget, searchContextOf } from './target.ts'
import { readingOf } from './understanding/reading.ts'

/** Raised when the same products are answered in another shape. */
const SHAPE = 1

/** What of a request decides its answer beside its address. */
const VARY = [
  'authorization',
  'x-api-key',
  'x-organization',
  'x-suborganization',
  'x-api-version',
  'accept',
  'origin',
].join(', ')

export const searchByAddress = operation({
  name: 'Search (GET)',
  summary: 'As Search, with its fields as parameters; caches may keep what a search key allows.',
  access: 'viewer',
  keys: ['search'],
  cost: 4,
  fails: ['exhausted'],
  bindings: both('GET', '/api/search', { query: SearchQuery, answer: SearchResponse }),
  conditional: true,
  handle: async (input: z.output<typeof SearchQuery> & RequestFacts, ctx) => {
    const started = performance.now()
    const search = allowedSearch(ctx, input)
    // Read before the search: a write in between makes it too old, never too new.
    const tag = mayBeKept(ctx, search) ? await tagOf(ctx, search) : undefined
    if (tag !== undefined && input.ifNoneMatch?.includes(tag)) return kept(ctx, tag, NOT_MODIFIED)
    const answer = await answeredSearch(ctx, search)
    const timed = { ...answer, took: Math.round(performance.now() - started) }
    return tag === undefined ? timed : kept(ctx, tag, timed)
  },
})

/** Not what is of one visitor, or of one walk. */
const mayBeKept = ({ caller }: Context, { body }: AllowedSearch): boolean =>
  caller.cache !== undefined && body.cursor === null && body.analytics !== true

/** Names all that the answer follows from. */
const tagOf = (ctx: Context, { catalog, body, criteria }: AllowedSearch): Promise<string> =>
  inCatalog(ctx, catalog, async (target, scope) => {
    const { signal, caller } = ctx
    const generation = await generationOf(productsOf(ctx, scope), { signal })
    const live = checksOffers(ctx, scope, body) ? ctx.requestId : null
    const said = [SHAPE, generation, caller.keyId, caller.username, caller.bounds, body, live]
    return `W/"${fingerprint([...said, queryOf(ctx, target, scope, criteria)])}"`
  })

/** What is asked of Elasticsearch: it holds the settings, rules and popular products of the moment. */
function queryOf(
  ctx: Context,
  target: SearchTarget,
  { name }: CatalogScope,
  request: AllowedSearch['criteria'],
): unknown {
  const asked = orderedBySignals(request, target.tuning)
  const criteria = ruledCriteria(target, asked)
  const context = searchContextOf({ ...target, popular: popularProducts(ctx, name) })
  const body = searchBody(criteria, context, { reading: readingOf(criteria, target) })
  return [body, criteria.rules, target.tuning?.facets]
}

/** An answer that others may keep: by its address alone where that names the key and nothing else counts. */
function kept<A>({ caller, header, isAddressed }: Context, tag: string, answer: A): A {
  const { maxAge, staleWhileRevalidate: stale } = caller.cache!
  const terms = [
    isAddressed ? 'public' : 'private',
    `max-age=${maxAge}`,
    ...(stale > 0 ? [`stale-while-revalidate=${stale}`] : []),
  ]
  header?.('etag', tag)
  header?.('cache-control', terms.join(', '))
  header?.('vary', VARY)
  if (isAddressed && caller.origins === null) header?.('access-control-allow-origin', '*')
  return answer
}
