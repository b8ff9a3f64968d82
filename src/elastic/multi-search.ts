import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import { boundedReader } from './bounded-reads.ts'
import { call, type Elastic } from './client.ts'
import { type CallOptions, indexTargetOf, type Place, transportOptions } from './place.ts'
import { responseLength } from './response-size.ts'
import { isTooLong, type SearchAnswer, type SearchBody, scopedBody } from './search.ts'

/** Searches one place several times in one round trip, in order. Throws when any search fails. */
export async function multiSearch<T>(
  elastic: Elastic,
  place: Place,
  bodies: readonly SearchBody[],
  options: CallOptions = {},
): Promise<SearchAnswer<T>[]> {
  if (bodies.length === 0) return []
  const wanted = bodies.map((body) => ({ place, body }))
  // The hits of all searches together are held in memory.
  const answers = await boundedReader({ elastic, place, source: 'many' }).run(
    Infinity,
    options,
    () => searchInParts<T>(elastic, wanted, options),
  )
  return answers.map((answer) => {
    if (answer) return answer
    throw new Unavailable('The search engine is unavailable. Try again shortly.')
  })
}

/** Concurrent searches of one request in Elasticsearch, which has to serve other requests, too. */
const AT_ONCE = 2

/** Sends searches together if their answers fit one response, else as many as were found to fit. */
async function searchInParts<T>(
  elastic: Elastic,
  wanted: readonly PlacedSearch[],
  options: CallOptions,
): Promise<(SearchAnswer<T> | undefined)[]> {
  const answers: (SearchAnswer<T> | undefined)[] = []
  for (let most = wanted.length; answers.length < wanted.length; ) {
    const part = wanted.slice(answers.length, answers.length + most)
    const longest = part.length > 1 ? { longest: limits.readBytes } : {}
    const bounds = { ...options, ...longest, atOnce: AT_ONCE }
    try {
      answers.push(...(await searchTogether<T>(elastic, part, bounds)).answers)
    } catch (error) {
      if (part.length === 1 || !isTooLong(error as Error)) throw error
      most = part.length >> 1
    }
  }
  return answers
}

export interface PlacedSearch {
  readonly place: Place
  readonly body: SearchBody
}

interface TogetherOptions extends CallOptions {
  /** Maximum bytes of the response, which is aborted beyond; see isTooLong. */
  readonly longest?: number
  /** Concurrent searches in Elasticsearch; absent: its own default. */
  readonly atOnce?: number
}

/**
 * Sends searches of any places in one round trip; answers are in order, undefined for a failed one.
 * `length`: characters of the whole response.
 */
export async function searchTogether<T>(
  elastic: Elastic,
  wanted: readonly PlacedSearch[],
  { longest, atOnce, ...options }: TogetherOptions,
): Promise<{ answers: (SearchAnswer<T> | undefined)[]; length: number }> {
  const searches = wanted.flatMap(({ place, body }) => [
    { ...indexTargetOf(elastic, place), allow_partial_search_results: false },
    scopedBody(place, body),
  ])
  const found = await call(() =>
    elastic.client.msearch<T>(
      { searches, ...(atOnce === undefined ? {} : { max_concurrent_searches: atOnce }) },
      transportOptions(options, longest),
    ),
  )
  const answers = found.responses.map((answer) =>
    'error' in answer || answer.timed_out ? undefined : (answer as SearchAnswer<T>),
  )
  return { answers, length: responseLength(found) }
}
