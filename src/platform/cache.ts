import { limits } from '../limits.ts'
import type { Clock } from './clock.ts'

const ENTRIES = 10_000

/** Remembers what was found for two seconds; what was not found is never remembered. */
export interface HitCache {
  /** `load` answers undefined for "not found"; callers that ask at the same time share one load. */
  get<T>(kind: string, id: string, load: () => Promise<T | undefined>): Promise<T | undefined>
  drop(kind: string, id: string): void
}

interface Entry {
  readonly value: Promise<unknown>
  readonly until: number
}

/** An empty cache, for one instance of the service. */
export function createHitCache(clock: Clock): HitCache {
  const entries = new Map<string, Entry>()
  return {
    async get<T>(kind: string, id: string, load: () => Promise<T | undefined>) {
      const key = `${kind}\u001f${id}`
      const now = clock.now().getTime()
      const known = entries.get(key)
      if (known && known.until > now) return (await known.value) as T | undefined
      // All live equally long, so the oldest stand first once this one moves to the end.
      entries.delete(key)
      for (const [old, { until }] of entries) {
        if (until > now) break
        entries.delete(old)
      }
      if (entries.size >= ENTRIES) entries.clear()
      const entry: Entry = { value: load(), until: now + limits.cacheMs }
      entries.set(key, entry)
      const forget = () => {
        if (entries.get(key) === entry) entries.delete(key)
      }
      try {
        const value = await entry.value
        if (value === undefined) forget()
        return value as T | undefined
      } catch (error) {
        forget()
        throw error
      }
    },
    drop(kind, id) {
      entries.delete(`${kind}\u001f${id}`)
    },
  }
}
