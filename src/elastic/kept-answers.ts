import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { untilAborted } from '../platform/deadline.ts'
import { createSharedReads } from '../platform/shared-reads.ts'
import { createSharedWork } from '../platform/shared-work.ts'
import { countsBody, emptyPage, joined, pageBody } from './answer-parts.ts'
import { type AnswerKeys, createAnswerStore, type Kept } from './answer-store.ts'
import type { Elastic } from './client.ts'
import { type GenerationPlace, generationOf } from './generation.ts'
import type { CallOptions, Place } from './place.ts'
import { type SearchAnswer, type SearchBody, type SearchOptions, scopedBody } from './search.ts'

type SendSearch<T> = (body: SearchBody, options?: SearchOptions) => Promise<SearchAnswer<T>>

interface SearchOfOptions {
  /** Waits for no search of others. */
  readonly alone?: boolean
}

/**
 * Answers to searches, used only while nothing was written to their place since: a hit compares the
 * generation that it was read at with the one of now. Of what was not asked for lately only the counts
 * are kept.
 */
export interface KeptAnswers {
  /**
   * The same search for one request. Equal ones that meet are sent once, and what is counted is
   * asked for once for all pages and orders. Nobody may change the answers.
   */
  searchOf<T>(place: Place, search: SendSearch<T>, options?: SearchOfOptions): SendSearch<T>
  /** The function of this name, begun after the call and shared with those who ask meanwhile. */
  generationOf(place: GenerationPlace, options: CallOptions): Promise<string>
  /** Characters of what is kept, as Elasticsearch sent it. */
  size(): number
}

interface KeptAnswersOptions {
  /** Characters of answers that are kept, as Elasticsearch sends them; 0: none. */
  readonly most: number
  /** Makes changes of what is kept fail, for tests. */
  readonly freeze?: boolean
  /** Told of every search whether it was known, or what it counts alone. */
  readonly onLookup?: (result: 'hit' | 'counts' | 'miss') => void
}

/** Searches, and places, that count as asked for lately. */
const REMEMBERED = 10_000
/** Milliseconds after which all copies of a shard show a write that one of them shows. */
const COPIES_APART_MS = 2_000

interface SeenGeneration {
  readonly name: string
  /** When it was first seen, by `performance.now()`. */
  readonly since: number
}

/** Keeps nothing yet; for one instance of the service. */
export function createKeptAnswers(
  elastic: Elastic,
  { most, freeze = false, onLookup = () => undefined }: KeptAnswersOptions,
): KeptAnswers {
  const store = createAnswerStore({ most, freeze })
  const asked = new LRUCache<string, true>({ max: REMEMBERED })
  const generations = new LRUCache<string, SeenGeneration>({ max: REMEMBERED })
  const reads = createSharedReads<string>()
  const underWay = createSharedWork<SearchAnswer<unknown>>()

  function readGeneration(place: GenerationPlace, { signal }: CallOptions): Promise<string> {
    const reading = reads.read(nameOf(place), async () => {
      const name = await generationOf(elastic, place, {})
      const since = performance.now()
      const seen = generations.get(nameOf(place))
      if (seen?.name !== name) generations.set(nameOf(place), { name, since })
      return name
    })
    return signal ? untilAborted(signal, reading) : reading
  }

  /** Whether whichever copy of the shard answers now is as new as a generation. */
  function isShownByAll(place: GenerationPlace, generation: string): boolean {
    if (elastic.settings.replicas === 0) return true
    const seen = generations.get(nameOf(place))
    return seen?.name === generation && performance.now() - seen.since >= COPIES_APART_MS
  }

  /** All that an answer follows from but what was written: the body says what its caller may see. */
  const keyOf = ({ kind, ...place }: Place, body: SearchBody): string =>
    hash('sha256', `${kind} ${JSON.stringify(scopedBody(place, body))}`, 'base64')

  function keysOf(place: Place, body: SearchBody): AnswerKeys {
    const whole = keyOf(place, body)
    if (body.size === 0) return { whole, counts: whole }
    return { whole, counts: store.get(whole)?.counts ?? keyOf(place, countsBody(body)) }
  }

  const keptBy = ({ whole, counts }: AnswerKeys): KeptParts => ({
    page: store.get(whole),
    counts: store.get(counts),
  })

  function wasAsked({ whole, counts }: AnswerKeys): boolean {
    const isKnown = asked.has(whole) || asked.has(counts)
    asked.set(whole, true)
    asked.set(counts, true)
    return isKnown
  }

  return {
    searchOf<T>(place: Place, search: SendSearch<T>, { alone = false }: SearchOfOptions = {}) {
      if (most === 0 || (place.routing ?? place.shards) === undefined) return search
      let reading: Promise<string | undefined> | undefined

      /** As it was at some time since the request began; undefined where it cannot be read. */
      const current = (options: CallOptions) => {
        reading ??= readGeneration(place, options).catch(() => undefined)
        return reading
      }

      async function unknown(keys: AnswerKeys, body: SearchBody, options: SearchOptions) {
        const generation = generations.get(nameOf(place))?.name
        const isKept = generation !== undefined && isShownByAll(place, generation)
        onLookup('miss')
        const answer = await search(body, options)
        if (!isKept || !store.takes(answer)) return answer
        // It may show what was written since, and a deletion may bring this generation back.
        readGeneration(place, {})
          .then((now) => {
            if (now === generation) store.keep({ keys, generation, answer, part: 'counts' })
          })
          .catch(() => undefined)
        return answer
      }

      /** What of a search is not known, shared with those who ask for the same of that generation. */
      function ask(part: 'all' | 'page', { keys, generation, body, options }: WantedAnswer) {
        const send = async (signal: AbortSignal | undefined) => {
          const isKept = isShownByAll(place, generation)
          const wanted = part === 'page' ? pageBody(body) : body
          const answer = await search(wanted, { ...options, signal })
          // A page may be asked for before the generation of now is known.
          if (isKept && (await current(options)) === generation) {
            store.keep({ keys, generation, answer, part })
          }
          return answer
        }
        if (alone) return send(options.signal)
        return underWay.run([keys.whole, part, generation].join(' '), options.signal, send)
      }

      async function answerTo(body: SearchBody, options: SearchOptions) {
        if (isOfOneMoment(body, options)) return search(body, options)
        const keys = keysOf(place, body)
        const before = keptBy(keys)
        const isWanted = wasAsked(keys)
        if (!isWanted && !before.counts) return unknown(keys, body, options)
        const askPage = (generation: string) => ask('page', { keys, generation, body, options })
        // Asked for meanwhile: it is as new as the request, and nearly always wanted.
        const early =
          before.counts && !knownPage(body, before) ? askPage(before.counts.generation) : undefined
        early?.catch(() => undefined)
        const generation = await current(options)
        options.signal?.throwIfAborted()
        if (generation === undefined) return unknown(keys, body, options)
        // Again, since others may have had the answer meanwhile.
        const now = keptBy(keys)
        const { counts } = now
        if (counts?.generation !== generation) {
          onLookup('miss')
          return ask('all', { keys, generation, body, options })
        }
        const known = knownPage(body, now)
        onLookup(known ? 'hit' : 'counts')
        const asked = before.counts?.generation === generation ? early : undefined
        const shown = known ?? (await (asked ?? askPage(generation)))
        return joined({ page: shown, counts: counts.answer })
      }

      return (body, options = {}) => answerTo(body, options) as Promise<SearchAnswer<T>>
    },
    generationOf: readGeneration,
    size: store.size,
  }
}

interface WantedAnswer {
  readonly keys: AnswerKeys
  /** That was read before. */
  readonly generation: string
  readonly body: SearchBody
  readonly options: SearchOptions
}

/** The page that belongs to what is counted. */
const knownPage = (
  body: SearchBody,
  { page, counts }: KeptParts,
): SearchAnswer<unknown> | undefined => {
  if (!counts) return undefined
  return page?.generation === counts.generation ? page.answer : emptyPage(body, counts.answer)
}

interface KeptParts {
  readonly page: Kept | undefined
  readonly counts: Kept | undefined
}

/** What belongs to one walk, or is explained, is asked for once. */
const isOfOneMoment = (body: SearchBody, { pointInTime }: SearchOptions): boolean =>
  pointInTime !== undefined || body.include_named_queries_score === true

const nameOf = ({ kind, scope }: GenerationPlace): string => `${kind} ${scope}`
