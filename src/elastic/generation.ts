import { Unavailable } from '../errors.ts'
import { call, type Elastic } from './client.ts'
import { type CallOptions, indexTargetOf, type Place, transportOptions } from './place.ts'
import { type SearchAnswer, scopedBody } from './search.ts'

/** The parts of a place that determine which documents it holds. */
export type GenerationPlace = Pick<Place, 'kind' | 'scope' | 'routing' | 'shards'>

const WHOLE = { request_cache: true, allow_partial_search_results: false } as const

/**
 * Names the state that searches of a place see. Every visible write changes it, on every instance.
 * Of the shard's sequence numbers, the highest reveals new writes, the count removals, and the sum
 * writes that appear out of order. Elasticsearch caches them until the next write.
 */
export async function generationOf(
  elastic: Elastic,
  { kind, scope, routing, shards = 1 }: GenerationPlace,
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
  const target = (more: Partial<Place> = {}) => ({
    ...indexTargetOf(elastic, { ...place, ...more }),
    ...WHOLE,
  })
  const asked = transportOptions(options)
  // Calls the client directly, which bypasses the queue of searches with large counts.
  if (shards === 1) {
    return nameOf(await call(() => elastic.client.search({ ...target(), ...body }, asked)))
  }
  // Numbers of different shards are unrelated: their combination could stay the same.
  const searches = Array.from({ length: shards }, (_, shard) => [target({ shard }), body]).flat()
  const { responses } = await call(() => elastic.client.msearch({ searches }, asked))
  return responses
    .map((answer) => {
      if ('error' in answer) throw tooLate()
      return nameOf(answer as SearchAnswer<unknown>)
    })
    .join(',')
}

function nameOf({ timed_out, hits, aggregations }: SearchAnswer<unknown>): string {
  if (timed_out) throw tooLate()
  const [latest] = hits.hits
  const { count, sum } = aggregations!.writes as unknown as Record<'count' | 'sum', number>
  return [latest?._index, latest?._primary_term, latest?._seq_no, count, sum].join(' ')
}

const tooLate = () => new Unavailable('The search timed out. Try again shortly.')
