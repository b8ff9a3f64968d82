import { limits } from '../limits.ts'
import type { Clock } from './clock.ts'

const ENTRIES = 10_000

/** Caches what was found for `limits.cacheMs`; misses are not cached. */
export interface HitCache {
  /** `load` answers undefined for "not found"; concurrent callers share one load. */
  get<T>(kind: string, id: string, load: () => Promise<T | undefined>): Promise<T | undefined>
  drop(kind: string, id: string): void
}

interface Entry {
  readonly value: Promise<unknown>
  readonly until: number
}

/** An empty cache, for one instance of the service. */
export function createHitCache(clock: Clock): HitCache {
  // The oldest entry first, since all live equally long: those that are over are freed from there.
  const entries = new Map<string, Entry>()

  function free(now: number): void {
    for (const [key, { until }] of entries) {
      if (until > now && entries.size < ENTRIES) break
      entries.delete(key)
    }
  }

  return {
    get<T>(kind: string, id: string, load: () => Promise<T | undefined>) {
      const key = keyOf(kind, id)
      const now = clock.now().getTime()
      const known = entries.get(key)
      if (known && known.until > now) return known.value as Promise<T | undefined>
      entries.delete(key)
      free(now)
      const value = load()
      entries.set(key, { value, until: now + limits.cacheMs })
      const forget = () => {
        if (entries.get(key)?.value === value) entries.delete(key)
      }
      value.then((found) => found === undefined && forget(), forget)
      return value
    },
    drop: (kind, id) => void entries.delete(keyOf(kind, id)),
  }
}

const keyOf = (kind: string, id: string): string => `${kind}\u001f${id}`
