import { errors, type estypes } from '@elastic/elasticsearch'
import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import { boundedReader, isSmall, type PortionOptions, portionSize } from './bounded-reads.ts'
import { call, type Elastic, statusOf, translate } from './client.ts'
import { acrossShards, recountBody, widerBody } from './exact-counts.ts'
import { getDocuments } from './get-documents.ts'
import {
  type CallOptions,
  indexTargetOf,
  isSpread,
  type Place,
  type PointInTime,
  transportOptions,
} from './place.ts'
import { withFields } from './renamed-fields.ts'
import { countsLength, hitsLength, responseLength } from './response-size.ts'
import { whileShardsStart } from './starting-shards.ts'
import { withTags } from './tagged-fields.ts'
import { tooMuchCounted } from './too-large.ts'

export type Query = NonNullable<estypes.QueryDslQueryContainer>
/** A search without its target, which comes from the place. */
export type SearchBody = Omit<estypes.SearchRequest, 'index' | 'routing' | 'preference' | 'pit'>
export type Aggregations = Record<string, estypes.AggregationsAggregationContainer>
export type SearchAnswer<T> = estypes.SearchResponse<T>
export type Hit<T> = estypes.SearchHit<T>

type PlaceBounds = Pick<Place, 'scope' | 'tagged' | 'visible' | 'found' | 'shards' | 'shard'>

/** Restricts a query to its scope, then to what is visible and found in it. */
function scopedQuery(place: PlaceBounds, query: Query | undefined): Query {
  const { scope, tagged, visible, found } = place
  if (scope === null) return query ?? { match_all: {} }
  const filter: Query[] = [
    { term: { scope } },
    ...[visible?.filter, found].filter((clause) => clause !== undefined),
  ]
  const asked = query && withFields(query, visible?.instead)
  return withTags(asked ? { bool: { filter, must: [asked] } } : { bool: { filter } }, tagged)
}

/** The body as sent, confined to its place. */
export const scopedBody = (place: PlaceBounds, { query, ...body }: SearchBody): SearchBody => {
  const asked = withFields(isSpread(place) ? acrossShards(body) : body, place.visible?.instead)
  return { ...withTags(asked, place.tagged), query: scopedQuery(place, query) }
}

export interface SearchOptions extends CallOptions, Pick<PortionOptions, 'isPatient' | 'first'> {
  /** Searches this state; once it has expired, the current one, and the answer has no `pit_id`. */
  readonly pointInTime?: PointInTime | undefined
  /**
   * Maximum bytes of large documents, which are found first and then read in portions. When absent,
   * all documents are in one response. Throws Invalid beyond.
   */
  readonly most?: number
  /** Leaves out the last hits whose documents are beyond `most`, in place of throwing. */
  readonly isPartial?: boolean
  /** Maximum bytes of one response, which is aborted beyond; see isTooLong. */
  readonly longest?: number | undefined
}

/** Searches one place. Partial results are an outage, never an answer. */
export async function search<T>(
  elastic: Elastic,
  place: Place,
  body: SearchBody,
  { pointInTime, most, ...options }: SearchOptions = {},
): Promise<SearchAnswer<T>> {
  const { size = DEFAULT_SIZE, _source: source } = body
  const reading = boundedReader({ elastic, place, source })
  if (readsOne(body)) return searchOnce(elastic, place, body, { pointInTime, ...options })
  const atOnce = (longest = options.longest) =>
    reading.run(size, { ...options, ...(most === undefined ? {} : { most }) }, async () => {
      const answer = await searchOnce<T>(elastic, place, body, { pointInTime, ...options, longest })
      reading.note(sourcesLength(answer), answer.hits.hits.length)
      return answer
    })
  if (most === undefined) return atOnce()
  if (size <= portionSize(reading.size()) || isSmall(size, reading.size())) {
    try {
      const longest = Math.min(most, limits.answerBytes)
      return await atOnce(body.aggs ? limits.countedBytes + limits.readBytes : longest)
    } catch (error) {
      if (!isTooLong(error as Error)) throw error
      // Recent documents were small, but these are not.
      reading.note(limits.readBytes, 1)
    }
  }
  const ids = { ...body, _source: false }
  const found = await searchOnce<T>(elastic, place, ids, { pointInTime, ...options })
  return withSources(elastic, place, found, { source, most, ...options })
}

/** Whether a response was aborted because of its length. */
export const isTooLong = ({ cause }: Error): boolean =>
  cause instanceof errors.RequestAbortedError && cause.message.includes('bigger than the maximum')

async function searchOnce<T>(
  elastic: Elastic,
  place: Place,
  body: SearchBody,
  { pointInTime, longest, ...options }: Omit<SearchOptions, 'most'>,
): Promise<SearchAnswer<T>> {
  const request = { ...scopedBody(place, body), allow_partial_search_results: false }
  const isCounting = body.aggs !== undefined && longest === undefined && readsOne(body)
  const most = isCounting ? limits.countedBytes : longest
  const ask = (where: estypes.SearchRequest) =>
    elastic.client.search<T>({ ...request, ...where }, transportOptions(options, most))
  const found = async () =>
    (pointInTime && (await unlessGone(() => ask({ pit: pitOf(pointInTime) })))) ??
    (await whileShardsStart(elastic, options, () => ask(indexTargetOf(elastic, place))))
  const answer = await (body.aggs
    ? countedInTurn({ elastic, place }, options, found)
    : found()
  ).catch((error: Error) => {
    throw isCounting && isTooLong(error) ? tooMuchCounted() : error
  })
  if (answer.timed_out) throw new Unavailable('The search timed out. Try again shortly.')
  // A search that stopped after `terminate_after` products has no exact counts.
  if (!isSpread(place) || answer.terminated_early) return answer
  const corrected = async (before: SearchAnswer<T>, again: SearchBody | undefined) => {
    if (!again) return before
    const { aggregations } = await searchOnce<T>(elastic, place, again, { pointInTime, ...options })
    return { ...before, aggregations: { ...before.aggregations, ...aggregations } }
  }
  const recounted = await corrected(answer, recountBody(body, answer))
  return corrected(recounted, widerBody(body, answer, recounted))
}

/** Bytes of counts from which a search is heavy; large catalogs have a tenth of that. */
const HEAVY_COUNTS = limits.countedBytes / 4

/** Runs searches whose counts were large one at a time: Elasticsearch collects all counts first. */
async function countedInTurn<T>(
  where: { readonly elastic: Elastic; readonly place: Place },
  options: CallOptions,
  found: () => Promise<SearchAnswer<T>>,
): Promise<SearchAnswer<T>> {
  const counts = boundedReader({ ...where, source: 'counts' })
  const work = async () => {
    try {
      const answer = await found()
      counts.note(countsLength(answer), 1)
      return answer
    } catch (error) {
      if (isTooLong(error as Error)) counts.note(limits.countedBytes, 1)
      throw error
    }
  }
  return counts.call(1, options, work, HEAVY_COUNTS)
}

const DEFAULT_SIZE = 10

/** Whether a search reads at most one document. */
const readsOne = ({ size = DEFAULT_SIZE, _source }: SearchBody): boolean =>
  _source === false || size <= 1

/** Characters of the hits; excludes aggregations where they could matter. */
const sourcesLength = (answer: SearchAnswer<unknown>): number => {
  const length = responseLength(answer)
  const isLarge = length > limits.readBytes / limits.readDocuments
  return isLarge && answer.aggregations ? hitsLength(answer) : length
}

/** Adds sources to hits found without them; drops hits deleted meanwhile. */
async function withSources<T>(
  elastic: Elastic,
  place: Place,
  answer: SearchAnswer<T>,
  {
    source,
    ...options
  }: Omit<SearchOptions, 'pointInTime' | 'longest'> & {
    source: unknown
    most: number
  },
): Promise<SearchAnswer<T>> {
  const found = answer.hits.hits
  const references = found.map(({ _index, _id, _routing }) => ({
    place,
    target: { _index, _id: _id!, ...(_routing === undefined ? {} : { routing: _routing }) },
  }))
  const includes = Array.isArray(source) ? { source: source as string[] } : {}
  const documents = await getDocuments<T & object>(elastic, references, {
    ...options,
    ...includes,
    realtime: false,
  })
  const hits = found.flatMap((hit, at) => {
    const document = documents[at]
    return document ? [{ ...hit, _source: document._source! }] : []
  })
  return { ...answer, hits: { ...answer.hits, hits } }
}

const pitOf = ({ id, keepMs }: PointInTime) => ({ id, keep_alive: `${keepMs}ms` })

const TOO_MANY_REQUESTS = 429

/** Undefined when the point in time is gone: expired, closed, or lost with its node. */
async function unlessGone<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    const status = statusOf(error)
    if (status === undefined || status === TOO_MANY_REQUESTS) throw translate(error)
    return undefined
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
      { ...indexTargetOf(elastic, place), query: scopedQuery(place, query) },
      transportOptions(options),
    ),
  )
  if (answer._shards.failed > 0) throw new Unavailable('The count is incomplete. Try again.')
  return answer.count
}
