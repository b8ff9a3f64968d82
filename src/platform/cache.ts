import { limits } from '../limits.ts'
import { type Clock, isWithin } from './clock.ts'
import { untilAborted } from './deadline.ts'

const ENTRIES = 10_000

/** Caches results for `limits.cacheMs`; misses are not cached. */
export interface HitCache {
  /**
   * `load` returns undefined for "not found". Concurrent callers share one load, so it must not
   * depend on the request of any of them; `signal` ends only this caller's wait.
   */
  get<T>(
    kind: string,
    id: string,
    load: () => Promise<T | undefined>,
    options?: LookUpOptions<T>,
  ): Promise<T | undefined>
  drop(kind: string, id: string): void
}

interface LookUpOptions<T> {
  readonly signal?: AbortSignal | undefined
  /** Maximum age in milliseconds. */
  readonly freshMs?: number
  /** Characters of a long value; all together have limits.cachedCharacters. */
  readonly lengthOf?: (found: T) => number
}

interface CacheEntry {
  readonly value: Promise<unknown>
  /** Milliseconds since the epoch. */
  readonly since: number
  /** 0 for values that are not bounded by length. */
  length: number
}

/** Creates a cache for one instance of the service. `onLookup` is called on every look-up. */
export function createHitCache(
  clock: Clock,
  onLookup: (kind: string, result: 'hit' | 'miss') => void = () => undefined,
): HitCache {
  // All entries live equally long, so the oldest comes first and expired ones are removed from the
  // front.
  const entries = new Map<string, CacheEntry>()

  let length = 0

  function remove(key: string): void {
    length -= entries.get(key)?.length ?? 0
    entries.delete(key)
  }

  function free(now: number): void {
    for (const [key, { since }] of entries) {
      if (isWithin(since, limits.cacheMs, now) && entries.size < ENTRIES) break
      remove(key)
    }
  }

  function noteLength(entry: CacheEntry, characters: number): void {
    entry.length = characters
    length += characters
    for (const [key, { length: own }] of entries) {
      if (length <= limits.cachedCharacters) return
      if (own > 0) remove(key)
    }
  }

  return {
    get<T>(
      kind: string,
      id: string,
      load: () => Promise<T | undefined>,
      { signal, freshMs = limits.cacheMs, lengthOf }: LookUpOptions<T> = {},
    ) {
      const key = keyOf(kind, id)
      const now = clock.now().getTime()
      const known = entries.get(key)
      const isKnown = known !== undefined && isWithin(known.since, freshMs, now)
      onLookup(kind, isKnown ? 'hit' : 'miss')
      if (isKnown) return untilAborted(signal, known.value as Promise<T | undefined>)
      remove(key)
      free(now)
      const value = load()
      const entry: CacheEntry = { value, since: now, length: 0 }
      entries.set(key, entry)
      const forget = () => {
        if (entries.get(key) === entry) remove(key)
      }
      value.then((found) => {
        if (found === undefined) forget()
        else if (lengthOf && entries.get(key) === entry) noteLength(entry, lengthOf(found))
      }, forget)
      return untilAborted(signal, value)
    },
    drop: (kind, id) => remove(keyOf(kind, id)),
  }
}

const keyOf = (kind: string, id: string): string => `${kind}\u001f${id}`
