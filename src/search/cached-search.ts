import { bothRevisions, type Context, NOT_MODIFIED, operation } from '../operation.ts'
import { codeFingerprint } from '../platform/code-fingerprint.ts'
import { type AllowedSearch, allowedSearch, answeredSearch, inCatalog } from './answered-search.ts'
import { checksOffers } from './check-offers.ts'
import { fingerprint } from './fingerprint.ts'
import { searchBody } from './queries.ts'
import { SearchResponse } from './response-schemas.ts'
import { SearchQuery } from './search-query.ts'
import { orderedBySignals } from './sort-boosts.ts'
import { ruledCriteria, type SearchTarget, searchContextOf } from './target.ts'
import { readingOf } from './understanding/reading.ts'

/** Request headers that the answer depends on, besides the URL. */
const VARY =
  'authorization, x-api-key, x-organization, x-suborganization, x-api-version, accept, origin'

export const searchByAddress = operation({
  name: 'Search (GET)',
  summary:
    'Same as Search, with its fields as query parameters. Responses can be cached as far as the search key allows.',
  access: 'viewer',
  keys: ['search'],
  cost: 4,
  fails: ['exhausted'],
  bindings: bothRevisions('GET', '/api/search', {
    query: SearchQuery,
    answer: SearchResponse,
    keyInAddress: true,
  }),
  conditional: true,
  handle: async (input, ctx) => {
    const started = performance.now()
    const allowed = allowedSearch(ctx, input)
    const isKept = mayBeKept(ctx, allowed)
    // A cache gives all visitors the same answer, unless the URL names the visitor.
    const visitor = isKept && allowed.body.visitor === null ? null : allowed.visitor
    const search = { ...allowed, visitor }
    // Read before the search, so that a write in between makes the tag too old, never too new.
    const tag = isKept ? await tagOf(ctx, search) : undefined
    if (tag !== undefined && namesTag(input.ifNoneMatch, tag)) {
      return withCacheTerms(ctx, tag, NOT_MODIFIED)
    }
    const answer = await answeredSearch(ctx, search)
    const timed = { ...answer, took: Math.round(performance.now() - started) }
    return tag === undefined ? timed : withCacheTerms(ctx, tag, timed)
  },
})

/** Whether caches may store the answer: not if it belongs to one visitor or one walk. */
const mayBeKept = ({ caller }: Context, { body }: AllowedSearch): boolean =>
  caller.cache !== undefined && body.cursor === null && body.analytics !== true

/** Whether If-None-Match matches a tag. Caches and proxies may send a weak tag as a strong one. */
const namesTag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch?.trim() === '*' || ifNoneMatch?.includes(tag.slice('W/'.length)) === true

const DAY_CHARACTERS = 10

/** ETag of everything that the answer depends on; undefined if it has real-time offers. */
const tagOf = (
  ctx: Context,
  { catalog, body, criteria, visitor }: AllowedSearch,
): Promise<string | undefined> =>
  inCatalog(ctx, { catalog, visitor, priceList: body.priceList }, async (target, scope) => {
    if (checksOffers(ctx, scope, body)) return undefined
    const { answers, signal, caller, organization, clock } = ctx
    const generation = await answers.generationOf(target.products.place, { signal })
    const who = [organization.id, caller.keyId, caller.username, caller.bounds]
    const { list, name, currency } = target.viewer.prices ?? {}
    const where = [target.products.place.scope, generation, target.tuning?.print]
    // Whatever depends on the time or on recent choices is at most a day old.
    const day = clock.now().toISOString().slice(0, DAY_CHARACTERS)
    const asked = [body, queryOf(target, criteria)]
    return `W/"${fingerprint([await codeFingerprint(), day, who, where, asked, [list, name, currency]])}"`
  })

/** The request to Elasticsearch, which reflects the current settings and rules. */
function queryOf(target: SearchTarget, request: AllowedSearch['criteria']): unknown {
  const criteria = ruledCriteria(target, orderedBySignals(request, target.tuning))
  const body = searchBody(criteria, searchContextOf(target), {
    reading: readingOf(criteria, target),
  })
  return [body, criteria.rules]
}

/** Sets caching headers. Shared caches may store the answer if the URL identifies the caller. */
function withCacheTerms<A>({ caller, header, isAddressed }: Context, tag: string, answer: A): A {
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
