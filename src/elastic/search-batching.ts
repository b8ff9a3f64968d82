import { limits } from '../limits.ts'
import { createPacer } from '../platform/pacer.ts'
import { boundedReader } from './bounded-reads.ts'
import type { Elastic } from './client.ts'
import { type PlacedSearch, searchTogether } from './multi-search.ts'
import { type CallOptions, isSpread, type Place } from './place.ts'
import { countsLength, hitsLength } from './response-size.ts'
import {
  isTooLong,
  type SearchAnswer,
  type SearchBody,
  type SearchOptions,
  search,
} from './search.ts'
import { tooLargeTogether } from './too-large.ts'

/** One of several pieces of work that share their round trips to Elasticsearch. */
export interface SearchBatchMember {
  /** Resolves when this piece may compute, so that all together do not block other requests. */
  turn(): Promise<void>
  /** Searches a place, in one request with concurrent searches. */
  search(place: Place, body: SearchBody, options?: SearchOptions): Promise<SearchAnswer<unknown>>
  /** Counts an answer from elsewhere, such as the cache. Throws Invalid. */
  count(answer: SearchAnswer<unknown>): void
  /** Counts characters that the piece adds to its answer. Throws Invalid. */
  spend(characters: number): void
  /** Announces that this piece sends no more searches. Repeated calls have no effect. */
  endSearches(): void
}

/** Concurrent searches of one round in Elasticsearch, as many as a request has places for. */
const AT_ONCE = 3

/** Maximum bytes of a combined response; if exceeded, each search is sent by itself. */
const LONGEST = limits.countedBytes + limits.readBytes

interface WaitingSearch extends PlacedSearch, PromiseWithResolvers<SearchAnswer<unknown>> {
  readonly options: SearchOptions
}

/**
 * Combines the searches of `pieces` of work: as soon as every unfinished piece waits for one, they
 * are sent in one request. Their answers have at most `limits.answerBytes` together.
 */
export function batchSearches(elastic: Elastic, pieces: number, options: CallOptions) {
  let active = pieces
  let waiting: WaitingSearch[] = []
  const budget = createBudget()
  const pace = createPacer()

  function sendIfAllWait(): void {
    dropAborted()
    if (waiting.length === 0 || waiting.length < active) return
    const round = waiting
    waiting = []
    answerAll(elastic, round, { ...options, budget }).catch((error) => {
      for (const { reject } of round) reject(error)
    })
  }

  /** Drops searches whose caller gave up, for example for lack of search credits. */
  function dropAborted(): void {
    const aborted = waiting.filter(({ options: { signal } }) => signal?.aborted)
    waiting = waiting.filter((one) => !aborted.includes(one))
    for (const { options: own, reject } of aborted) reject(own.signal!.reason)
  }

  return {
    /** Runs one of the announced pieces. */
    async run<R>(work: (piece: SearchBatchMember) => Promise<R>): Promise<R> {
      let isActive = true
      let spent = 0
      const spend = (characters: number) => {
        spent += characters
        budget.left -= characters
        if (budget.left >= 0) return
        // This piece has no answer, so another one may fit.
        budget.left += spent
        spent = 0
        throw tooLargeTogether()
      }
      const piece: SearchBatchMember = {
        turn: () => pace(undefined),
        search(place, body, searchOptions = {}) {
          const answer = Promise.withResolvers<SearchAnswer<unknown>>()
          waiting.push({ place, body, options: searchOptions, ...answer })
          sendIfAllWait()
          return answer.promise
        },
        count: (answer) => spend(budget.lengthOf(answer)),
        spend,
        endSearches() {
          if (!isActive) return
          isActive = false
          active--
          sendIfAllWait()
        },
      }
      try {
        return await work(piece)
      } finally {
        piece.endSearches()
      }
    },
  }
}

/** The rest of the allowed size. */
interface Budget {
  /** Characters of documents and counts. */
  left: number
  /** Marks an answer's documents and counts as counted. */
  read(answer: SearchAnswer<unknown>): void
  /** Characters of those of an answer that are not counted yet. */
  lengthOf(answer: SearchAnswer<unknown>): number
}

function createBudget(): Budget {
  const counted = new WeakSet<object>()
  return {
    left: limits.answerBytes,
    read({ hits, aggregations }) {
      counted.add(hits.hits)
      if (aggregations) counted.add(aggregations)
    },
    lengthOf(answer) {
      // A page that is joined with counts has the same hits.
      const { hits, aggregations } = answer
      const isNew = hits.hits.length > 0 && !counted.has(hits.hits)
      const hasNewCounts = aggregations && !counted.has(aggregations)
      return (isNew ? hitsLength(answer) : 0) + (hasNewCounts ? countsLength(answer) : 0)
    },
  }
}

type RoundOptions = CallOptions & { readonly budget: Budget }

async function answerAll(
  elastic: Elastic,
  round: readonly WaitingSearch[],
  options: RoundOptions,
): Promise<void> {
  const together = round.length > 1 ? round.filter(mayGoTogether) : []
  const alone = round.filter((one) => !together.includes(one))
  const left = await answerTogether(elastic, together, options)
  for (const one of [...alone, ...left]) await answerAlone(elastic, one, options)
}

/** Searches with options that `_msearch` does not support are sent by themselves. */
const mayGoTogether = ({ place, body, options }: WaitingSearch): boolean =>
  options.pointInTime === undefined &&
  !(isSpread(place) && body.aggs) &&
  body.filter_path === undefined &&
  body.include_named_queries_score === undefined

/** Answers the searches it can and returns the others. */
async function answerTogether(
  elastic: Elastic,
  round: readonly WaitingSearch[],
  { budget, ...options }: RoundOptions,
): Promise<readonly WaitingSearch[]> {
  if (round.length === 0) return []
  const wanted = round.reduce((sum, { body }) => sum + documentsOf(body), 0)
  const reading = boundedReader({ elastic, place: round[0]!.place, source: 'together' })
  try {
    const { answers, length } = await reading.run(
      wanted,
      { ...options, most: budget.left },
      async () => {
        const found = await searchTogether<unknown>(elastic, round, {
          ...options,
          longest: Math.min(budget.left, LONGEST),
          atOnce: AT_ONCE,
        })
        const hits = found.answers.reduce((sum, one) => sum + (one?.hits.hits.length ?? 0), 0)
        reading.note(found.length, hits)
        return found
      },
    )
    budget.left -= length
    for (const [at, answer] of answers.entries()) {
      if (!answer) continue
      budget.read(answer)
      round[at]!.resolve(answer)
    }
    return round.filter((_, at) => answers[at] === undefined)
  } catch (error) {
    if (isTooLong(error as Error)) return round
    throw error
  }
}

const documentsOf = ({ size = 10, _source }: SearchBody): number => (_source === false ? 0 : size)

/** Sends one search by itself. Callers await each, so that only one large answer is in memory. */
async function answerAlone(
  elastic: Elastic,
  { place, body, options, resolve, reject }: WaitingSearch,
  { budget }: RoundOptions,
): Promise<void> {
  try {
    if (budget.left <= 0) throw tooLargeTogether()
    const most = options.most === undefined ? {} : { most: Math.min(options.most, budget.left) }
    const answer = await search(elastic, place, body, { ...options, ...most })
    if (documentsOf(body) > 0) budget.left -= hitsLength(answer)
    budget.left -= countsLength(answer)
    budget.read(answer)
    resolve(answer)
  } catch (error) {
    reject(error)
  }
}
