import { limits } from '../limits.ts'
import type { Clock } from './clock.ts'
import { untilAborted } from './deadline.ts'

const ENTRIES = 10_000

/** Caches what was found for `limits.cacheMs`; misses are not cached. */
export interface HitCache {
  /**
   * `load` answers undefined for "not found". Concurrent callers share one load, which must not end
   * with the request of any of them: `signal` ends the wait of this one.
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
  /** Milliseconds: what was found earlier is not believed. */
  readonly freshMs?: number
  /** Characters of what may be long: together they have limits.cachedCharacters, the oldest give way. */
  readonly lengthOf?: (found: T) => number
}

interface CacheEntry {
  readonly value: Promise<unknown>
  /** Milliseconds since the epoch. */
  readonly since: number
  /** 0 of what is not bounded by it. */
  length: number
}

/** An empty cache, for one instance of the service; `onLookup` is told of every look-up. */
export function createHitCache(
  clock: Clock,
  onLookup: (kind: string, result: 'hit' | 'miss') => void = () => undefined,
): HitCache {
  // The oldest entry first, since all live equally long: those that are over are freed from there.
  const entries = new Map<string, CacheEntry>()

  let length = 0

  function remove(key: string): void {
    length -= entries.get(key)?.length ?? 0
    entries.delete(key)
  }

  function free(now: number): void {
    for (const [key, { since }] of entries) {
      if (since + limits.cacheMs > now && entries.size < ENTRIES) break
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
      const isKnown = known !== undefined && known.since + freshMs > now
      onLookup(kind, isKnown ? 'hit' : 'miss')
      const told = (value: Promise<T | undefined>) => (signal ? untilAborted(signal, value) : value)
      if (isKnown) return told(known.value as Promise<T | undefined>)
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
      return told(value)
    },
    drop: (kind, id) => remove(keyOf(kind, id)),
  }
}

const keyOf = (kind: string, id: string): string => `${kind}\u001f${id}`
