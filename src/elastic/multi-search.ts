import { Unavailable } from '../errors.ts'
import { boundedReader } from './bounded-reads.ts'
import { call, type Elastic } from './client.ts'
import { type CallOptions, indexTargetOf, type Place, transportOptions } from './place.ts'
import { type SearchAnswer, type SearchBody, scopedBody } from './search.ts'

/** Several searches of one place in one round trip, answered in order. Throws when any of them fails. */
export async function multiSearch<T>(
  elastic: Elastic,
  place: Place,
  bodies: readonly SearchBody[],
  options: CallOptions = {},
): Promise<SearchAnswer<T>[]> {
  if (bodies.length === 0) return []
  const header = { ...indexTargetOf(elastic, place), allow_partial_search_results: false }
  const searches = bodies.flatMap((body) => [header, scopedBody(place, body)])
  // What it finds is held whole, of all searches together.
  const { responses } = await boundedReader({ elastic, place, source: 'many' }).run(
    Infinity,
    options,
    () => call(() => elastic.client.msearch<T>({ searches }, transportOptions(options))),
  )
  return responses.map((answer) => {
    if ('error' in answer || answer.timed_out) {
      throw new Unavailable('The search engine does not answer now. Try again shortly.')
    }
    return answer as SearchAnswer<T>
  })
}
