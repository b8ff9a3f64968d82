import { setTimeout } from 'node:timers/promises'
import type { estypes } from '@elastic/elasticsearch'
import { Unavailable } from '../errors.ts'
import { call, type Elastic, reasonOf, statusOf, translate } from './client.ts'

export type Query = NonNullable<estypes.QueryDslQueryContainer>
export type SearchBody = Omit<estypes.SearchRequest, 'index' | 'routing'>
export type Aggregations = Record<string, estypes.AggregationsAggregationContainer>
export type SearchAnswer<T> = estypes.SearchResponse<T>
export type Hit<T> = estypes.SearchHit<T>

/** Where a search looks: an index, and the scope that no caller can leave out. */
export interface Place {
  readonly kind: string
  /** Every hit has exactly this scope; null only for indices that hold no tenant's data. */
  readonly scope: string | null
  /** A log by month: before its first index it is empty. */
  readonly monthly?: boolean
  /** One shard holds the whole scope when set. */
  readonly routing?: string
}

/** The scope is the first clause of every query. */
export function within(scope: string | null, query: Query | undefined): Query {
  if (scope === null) return query ?? { match_all: {} }
  const filter: Query[] = [{ term: { scope } }]
  return query ? { bool: { filter, must: [query] } } : { bool: { filter } }
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Milliseconds for the call, where it is not a request that waits. */
  readonly timeoutMs?: number
}

export const transportOptions = ({ signal, timeoutMs }: CallOptions) => ({
  ...(signal ? { signal } : {}),
  ...(timeoutMs ? { requestTimeout: timeoutMs } : {}),
})

/** Searches one place. Partial results are an outage, never an answer. */
export async function search<T>(
  elastic: Elastic,
  place: Place,
  body: SearchBody,
  options: CallOptions = {},
): Promise<SearchAnswer<T>> {
  const answer = await whileShardsStart(options.signal, () =>
    elastic.client.search<T>(
      {
        ...body,
        index: elastic.indexName(place.kind),
        query: within(place.scope, body.query),
        allow_partial_search_results: false,
        ignore_unavailable: place.monthly ?? false,
        ...(place.routing === undefined ? {} : { routing: place.routing }),
      },
      transportOptions(options),
    ),
  )
  if (answer.timed_out) throw new Unavailable('The search took too long. Try again shortly.')
  return answer
}

const STARTS = 15
const START_MS = 80

/** An index that was created just now has no shard to ask yet, for up to a second. */
async function whileShardsStart<T>(signal: AbortSignal | undefined, run: () => Promise<T>) {
  for (let left = STARTS; ; left--) {
    try {
      return await run()
    } catch (error) {
      const starting =
        statusOf(error) === 503 && reasonOf(error) === 'search_phase_execution_exception'
      if (!starting || left === 0) throw translate(error)
    }
    await setTimeout(START_MS, undefined, signal ? { signal } : {})
  }
}

/** The exact number of documents that match `query` in one place. */
export async function count(
  elastic: Elastic,
  place: Place,
  query: Query | undefined,
  options: CallOptions = {},
): Promise<number> {
  const answer = await call(() =>
    elastic.client.count(
      {
        index: elastic.indexName(place.kind),
        query: within(place.scope, query),
        ignore_unavailable: place.monthly ?? false,
        ...(place.routing === undefined ? {} : { routing: place.routing }),
      },
      transportOptions(options),
    ),
  )
  if (answer._shards.failed > 0) throw new Unavailable('The count is not complete. Try again.')
  return answer.count
}
