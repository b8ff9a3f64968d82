import { limits } from '../limits.ts'
import { boundedReader, tooMuch } from './bounded-reads.ts'
import type { Elastic } from './client.ts'
import { searchTogether } from './multi-search.ts'
import { type CallOptions, isSpread, type Place } from './place.ts'
import { hitsLength } from './response-size.ts'
import {
  isTooLong,
  type SearchAnswer,
  type SearchBody,
  type SearchOptions,
  search,
} from './search.ts'

/** Searches a place, together with what others search meanwhile. */
type GatheredSearch = (
  place: Place,
  body: SearchBody,
  options?: SearchOptions,
) => Promise<SearchAnswer<unknown>>

/** One of several pieces of work whose searches share their round trips to Elasticsearch. */
export interface GatheredPiece {
  readonly search: GatheredSearch
  /** Counts the documents of an answer that came from elsewhere, as a kept one. Throws Invalid. */
  count(answer: SearchAnswer<unknown>): void
  /** Nobody waits for further searches of this piece. Repeated calls have no effect. */
  endSearches(): void
}

export interface Gathering {
  /** Each of as many pieces as were announced is to be run once. */
  run<R>(work: (piece: GatheredPiece) => Promise<R>): Promise<R>
}

/** How many searches of a round Elasticsearch runs at once: those for which a request has places. */
const AT_ONCE = 3

/** Bytes of an answer for several searches; where they have more, each is asked for by itself. */
const LONGEST = limits.countedBytes + limits.readBytes

interface WaitingSearch {
  readonly place: Place
  readonly body: SearchBody
  readonly options: SearchOptions
  readonly resolve: (answer: SearchAnswer<unknown>) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Gathers the searches of `pieces` of work: whenever all whose searches have not ended wait for one,
 * these are sent in one request. Their answers together hold `limits.answerBytes` of documents at most.
 */
export function gatherSearches(elastic: Elastic, pieces: number, options: CallOptions): Gathering {
  let active = pieces
  let waiting: WaitingSearch[] = []
  const budget = createBudget()

  function sendIfAllWait(): void {
    dropAborted()
    if (waiting.length === 0 || waiting.length < active) return
    const round = waiting
    waiting = []
    answerAll(elastic, round, { ...options, budget }).catch((error) => {
      for (const { reject } of round) reject(error)
    })
  }

  /** Nobody waits for their answers any more, as where no credit was left. */
  function dropAborted(): void {
    const aborted = waiting.filter(({ options: { signal } }) => signal?.aborted)
    waiting = waiting.filter((one) => !aborted.includes(one))
    for (const { options: own, reject } of aborted) reject(own.signal!.reason)
  }

  return {
    async run(work) {
      let isActive = true
      const piece: GatheredPiece = {
        search: (place, body, searchOptions = {}) =>
          new Promise((resolve, reject) => {
            waiting.push({ place, body, options: searchOptions, resolve, reject })
            sendIfAllWait()
          }),
        count: budget.count,
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

/** What may still be answered. */
interface Budget {
  /** Bytes of documents. */
  left: number
  /** Notes that an answer's documents are counted already. */
  read(answer: SearchAnswer<unknown>): void
  count(answer: SearchAnswer<unknown>): void
}

function createBudget(): Budget {
  const counted = new WeakSet<object>()
  const budget: Budget = {
    left: limits.answerBytes,
    read: ({ hits }) => void counted.add(hits.hits),
    count(answer) {
      // Who joins a page and counts has the same hits.
      if (counted.has(answer.hits.hits) || answer.hits.hits.length === 0) return
      budget.left -= hitsLength(answer)
      if (budget.left < 0) throw tooMuch()
    },
  }
  return budget
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

/** What `_msearch` does not take with a search is asked for by itself. */
const mayGoTogether = ({ place, body, options }: WaitingSearch): boolean =>
  options.pointInTime === undefined &&
  !(isSpread(place) && body.aggs) &&
  body.filter_path === undefined &&
  body.include_named_queries_score === undefined

/** Answers those that it can, and returns the others. */
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

/** One after the other, so that no more than one large answer is held. */
async function answerAlone(
  elastic: Elastic,
  { place, body, options, resolve, reject }: WaitingSearch,
  { budget }: RoundOptions,
): Promise<void> {
  try {
    if (budget.left <= 0) throw tooMuch()
    const most = options.most === undefined ? {} : { most: Math.min(options.most, budget.left) }
    const answer = await search(elastic, place, body, { ...options, ...most })
    if (documentsOf(body) > 0) budget.left -= hitsLength(answer)
    budget.read(answer)
    resolve(answer)
  } catch (error) {
    reject(error)
  }
}
