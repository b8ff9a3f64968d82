import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import { mapInSteps } from '../platform/in-steps.ts'
import { boundedReader } from './bounded-reads.ts'
import { call, type Elastic } from './client.ts'
import { type CallOptions, indexTargetOf, type Place, transportOptions } from './place.ts'
import { responseLength } from './response-size.ts'
import { isTooLong, type SearchAnswer, type SearchBody, scopedBody, search } from './search.ts'

/**
 * Searches one place several times, in order. Yields the answers of some searches at a time, as
 * many as fit one response, so that no more are held. Of one with more than `answerBytes`, only the
 * first hits. Throws when any search fails.
 */
export async function* multiSearch<T>(
  elastic: Elastic,
  place: Place,
  bodies: readonly SearchBody[],
  options: CallOptions = {},
): AsyncGenerator<SearchAnswer<T>[]> {
  const kind = `many ${bodies[0]?.size} ${bodies[0]?._source}`
  const reading = boundedReader({ elastic, place, source: kind })
  for (let at = 0; at < bodies.length; ) {
    const part = bodies.slice(at, at + searchesAtOnce(reading.size()))
    const answers = await searchPart<T>({ elastic, place, reading }, part, options)
    at += answers.length
    if (answers.length > 0) yield answers
  }
}

/** Concurrent searches of one request in Elasticsearch, which has to serve other requests, too. */
const AT_ONCE = 2

/** How many searches to send together. Elasticsearch holds all of their answers. */
const searchesAtOnce = (size: number | undefined): number =>
  size === undefined ? AT_ONCE : Math.max(1, Math.floor(limits.readBytes / size))

/** Documents to read first of an answer that is too long. */
const FIRST = 4

interface PartReader {
  readonly elastic: Elastic
  readonly place: Place
  readonly reading: ReturnType<typeof boundedReader>
}

/** The answers of these searches; none if they do not fit one response, which is remembered. */
async function searchPart<T>(
  { elastic, place, reading }: PartReader,
  part: readonly SearchBody[],
  options: CallOptions,
): Promise<SearchAnswer<T>[]> {
  const searchAlone = async () => {
    const bounded = { most: limits.answerBytes, first: FIRST, isPartial: true, isPatient: true }
    const answer = await search<T>(elastic, place, part[0]!, { ...options, ...bounded })
    reading.note(await lengthOf(answer), 1)
    return [answer]
  }
  const size = reading.size() ?? 0
  if (part.length === 1 && size >= limits.readBytes) return searchAlone()
  const wanted = part.map((body) => ({ place, body }))
  const bounds = { ...options, longest: limits.readBytes, atOnce: AT_ONCE }
  const ask = () => searchTogether<T>(elastic, wanted, bounds)
  try {
    const { answers, length } = await reading.run(Infinity, { ...options, most: Infinity }, ask)
    reading.note(length, part.length)
    return answers.map((answer) => {
      if (answer) return answer
      throw new Unavailable('The search engine is unavailable. Try again shortly.')
    })
  } catch (error) {
    if (!isTooLong(error as Error)) throw error
    // From now on half as many fit; of one that does not fit alone, none.
    reading.note(limits.readBytes, (part.length >> 1) + 0.5)
    return part.length === 1 ? searchAlone() : []
  }
}

/** Characters of an answer, whose documents may have been read in portions. */
async function lengthOf(answer: SearchAnswer<unknown>): Promise<number> {
  const whole = responseLength(answer)
  if (whole > 0) return whole
  const lengths = await mapInSteps(answer.hits.hits, (hit) => JSON.stringify(hit).length)
  return lengths.reduce((sum, length) => sum + length, 0)
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
