import { Unavailable } from '../errors.ts'
import { call, type Elastic } from './client.ts'
import { type CallOptions, indexTargetOf, type Place, transportOptions } from './place.ts'
import { scopedBody } from './search.ts'

/** What of a place says which documents it holds. */
export type GenerationPlace = Pick<Place, 'kind' | 'scope' | 'routing'>

/**
 * A name of what searches of a place see, which every visible write changes on every instance. Each
 * write takes the next number of its shard: their highest tells new ones, their count removals, and
 * their sum one that is seen after a later one. Elasticsearch keeps it until something is written.
 */
export async function generationOf(
  elastic: Elastic,
  { kind, scope, routing }: GenerationPlace,
  options: CallOptions,
): Promise<string> {
  const place = { kind, scope, ...(routing === undefined ? {} : { routing }) }
  const body = scopedBody(place, {
    size: 1,
    _source: false,
    track_total_hits: false,
    seq_no_primary_term: true,
    sort: [{ _seq_no: 'desc' }],
    aggs: { writes: { stats: { field: '_seq_no' } } },
  })
  const whole = { request_cache: true, allow_partial_search_results: false }
  // Not as other searches, which may wait for those that count much.
  const { timed_out, hits, aggregations } = await call(() =>
    elastic.client.search(
      { ...indexTargetOf(elastic, place), ...whole, ...body },
      transportOptions(options),
    ),
  )
  if (timed_out) throw new Unavailable('The search took too long. Try again shortly.')
  const [latest] = hits.hits
  const { count, sum } = aggregations!.writes as unknown as Record<'count' | 'sum', number>
  return [latest?._index, latest?._primary_term, latest?._seq_no, count, sum].join(' ')
}
