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
    options?: LookUpOptions,
  ): Promise<T | undefined>
  drop(kind: string, id: string): void
}

interface LookUpOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds: what was found earlier is not believed. */
  readonly freshMs?: number
}

interface Entry {
  readonly value: Promise<unknown>
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** An empty cache, for one instance of the service; `onLookup` is told of every look-up. */
export function createHitCache(
  clock: Clock,
  onLookup: (kind: string, result: 'hit' | 'miss') => void = () => undefined,
): HitCache {
  // The oldest entry first, since all live equally long: those that are over are freed from there.
  const entries = new Map<string, Entry>()

  function free(now: number): void {
    for (const [key, { since }] of entries) {
      if (since + limits.cacheMs > now && entries.size < ENTRIES) break
      entries.delete(key)
    }
  }

  return {
    get<T>(
      kind: string,
      id: string,
      load: () => Promise<T | undefined>,
      { signal, freshMs = limits.cacheMs }: LookUpOptions = {},
    ) {
      const key = keyOf(kind, id)
      const now = clock.now().getTime()
      const known = entries.get(key)
      const isKnown = known !== undefined && known.since + freshMs > now
      onLookup(kind, isKnown ? 'hit' : 'miss')
      const told = (value: Promise<T | undefined>) => (signal ? untilAborted(signal, value) : value)
      if (isKnown) return told(known.value as Promise<T | undefined>)
      entries.delete(key)
      free(now)
      const value = load()
      entries.set(key, { value, since: now })
      const forget = () => {
        if (entries.get(key)?.value === value) entries.delete(key)
      }
      value.then((found) => found === undefined && forget(), forget)
      return told(value)
    },
    drop: (kind, id) => void entries.delete(keyOf(kind, id)),
  }
}

const keyOf = (kind: string, id: string): string => `${kind}\u001f${id}`
