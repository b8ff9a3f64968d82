import { LRUCache } from 'lru-cache'
import { limits } from '../limits.ts'
import type { Clock } from './clock.ts'

const ENTRIES = 10_000

const keyOf = (kind: string, id: string): string => `${kind}\u001f${id}`

/** Caches what was found for `limits.cacheMs`; misses are not cached. */
export interface HitCache {
  /** `load` answers undefined for "not found"; concurrent callers share one load. */
  get<T>(kind: string, id: string, load: () => Promise<T | undefined>): Promise<T | undefined>
  drop(kind: string, id: string): void
}

/** An empty cache, for one instance of the service. */
export function createHitCache(clock: Clock): HitCache {
  const entries = new LRUCache<string, Promise<unknown>>({
    max: ENTRIES,
    // What is as old as its ttl is still fresh to this cache.
    ttl: limits.cacheMs - 1,
    ttlResolution: 0,
    ttlAutopurge: true,
    perf: { now: () => clock.now().getTime() },
  })
  return {
    get<T>(kind: string, id: string, load: () => Promise<T | undefined>) {
      const key = keyOf(kind, id)
      const known = entries.get(key)
      if (known) return known as Promise<T | undefined>
      const loading = load()
      entries.set(key, loading)
      const forget = () => {
        if (entries.peek(key) === loading) entries.delete(key)
      }
      loading.then((value) => value === undefined && forget(), forget)
      return loading
    },
    drop: (kind, id) => void entries.delete(keyOf(kind, id)),
  }
}
