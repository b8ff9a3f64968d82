import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { untilAborted } from '../platform/deadline.ts'
import { createSharedReads } from '../platform/shared-reads.ts'
import { createSharedWork } from '../platform/shared-work.ts'
import { countsBody, emptyPage, joinAnswer, pageBody } from './answer-parts.ts'
import { type AnswerKeys, createAnswerStore, type StoredAnswer } from './answer-store.ts'
import type { Elastic } from './client.ts'
import { type GenerationPlace, generationOf } from './generation.ts'
import type { CallOptions, Place } from './place.ts'
import { type SearchAnswer, type SearchBody, type SearchOptions, scopedBody } from './search.ts'

type SendSearch<T> = (body: SearchBody, options?: SearchOptions) => Promise<SearchAnswer<T>>

interface SearchOfOptions {
  /** The search is not shared with other requests. */
  readonly alone?: boolean
}

/**
 * Caches answers to searches. An entry is valid until the next write to its place, which changes
 * the generation of that place. A search that was not repeated recently has only its counts cached.
 */
export interface AnswerCache {
  /**
   * Wraps the search of one request. Equal concurrent searches are sent once, and counts are shared
   * by all pages and orders. Callers must not change the answers.
   */
  searchOf<T>(place: Place, search: SendSearch<T>, options?: SearchOfOptions): SendSearch<T>
  /**
   * Like the function of this name. Concurrent callers share a read that began after their call.
   */
  generationOf(place: GenerationPlace, options: CallOptions): Promise<string>
  /** Characters of the cached answers, as Elasticsearch sent them. */
  size(): number
}

interface AnswerCacheOptions {
  /** Maximum characters of cached answers, as Elasticsearch sent them; 0 disables the cache. */
  readonly most: number
  /** Freezes cached answers, so that tests notice changes. */
  readonly freeze?: boolean
  /** Called for every search with whether all of it, only its counts or nothing was cached. */
  readonly onLookup?: (result: 'hit' | 'counts' | 'miss') => void
}

/** How many recent searches, and how many places, are remembered. */
const REMEMBERED = 10_000
/** Milliseconds after which every copy of a shard shows a write that one of them shows. */
const COPIES_APART_MS = 2_000

interface SeenGeneration {
  readonly name: string
  /** When it was first seen, by `performance.now()`. */
  readonly since: number
}

/** Creates an empty cache for one instance of the service. */
export function createAnswerCache(
  elastic: Elastic,
  { most, freeze = false, onLookup = () => undefined }: AnswerCacheOptions,
): AnswerCache {
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
    return untilAborted(signal, reading)
  }

  /** Whether all copies of the shard show this generation by now. */
  function isShownByAll(place: GenerationPlace, generation: string): boolean {
    if (elastic.settings.replicas === 0) return true
    const seen = generations.get(nameOf(place))
    return seen?.name === generation && performance.now() - seen.since >= COPIES_APART_MS
  }

  /** Everything an answer depends on except writes; the body includes what its caller may see. */
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

      /** The generation at some time since the request began; undefined when it cannot be read. */
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
        // The answer may include later writes, and a deletion may restore this generation.
        readGeneration(place, {})
          .then((now) => {
            if (now === generation) store.keep({ keys, generation, answer, part: 'counts' })
          })
          .catch(() => undefined)
        return answer
      }

      async function answerTo(body: SearchBody, options: SearchOptions) {
        if (isOfOneMoment(body, options)) return search(body, options)
        const keys = keysOf(place, body)
        const before = keptBy(keys)
        const isWanted = wasAsked(keys)
        if (!isWanted && !before.counts) return unknown(keys, body, options)
        /** Requests the missing part of a search, shared with callers who need the same. */
        const ask = (part: 'all' | 'page', generation: string) => {
          const send = async (signal: AbortSignal | undefined) => {
            const isKept = isShownByAll(place, generation)
            const wanted = part === 'page' ? pageBody(body) : body
            const answer = await search(wanted, { ...options, signal })
            // The page may have been requested before the current generation was known.
            if (isKept && (await current(options)) === generation) {
              store.keep({ keys, generation, answer, part })
            }
            return answer
          }
          if (alone) return send(options.signal)
          return underWay.run([keys.whole, part, generation].join(' '), options.signal, send)
        }
        // Request the page while the generation is read: it is as new as this request, and nearly
        // always used.
        const early =
          before.counts && !knownPage(body, before)
            ? ask('page', before.counts.generation)
            : undefined
        early?.catch(() => undefined)
        const generation = await current(options)
        options.signal?.throwIfAborted()
        if (generation === undefined) return unknown(keys, body, options)
        // Checked again: another request may have been answered meanwhile.
        const now = keptBy(keys)
        const { counts } = now
        if (counts?.generation !== generation) {
          onLookup('miss')
          return ask('all', generation)
        }
        const known = knownPage(body, now)
        onLookup(known ? 'hit' : 'counts')
        const asked = before.counts?.generation === generation ? early : undefined
        const shown = known ?? (await (asked ?? ask('page', generation)))
        return joinAnswer({ page: shown, counts: counts.answer })
      }

      return (body, options = {}) => answerTo(body, options) as Promise<SearchAnswer<T>>
    },
    generationOf: readGeneration,
    size: store.size,
  }
}

/** The cached page that belongs to the cached counts. */
const knownPage = (
  body: SearchBody,
  { page, counts }: KeptParts,
): SearchAnswer<unknown> | undefined => {
  if (!counts) return undefined
  return page?.generation === counts.generation ? page.answer : emptyPage(body, counts.answer)
}

interface KeptParts {
  readonly page: StoredAnswer | undefined
  readonly counts: StoredAnswer | undefined
}

/** Searches at a point in time, and explained ones, are not cached. */
const isOfOneMoment = (body: SearchBody, { pointInTime }: SearchOptions): boolean =>
  pointInTime !== undefined || body.include_named_queries_score === true

const nameOf = ({ kind, scope }: GenerationPlace): string => `${kind} ${scope}`
