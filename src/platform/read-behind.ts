import { LRUCache } from 'lru-cache'
import type { Background } from './background.ts'
import type { Clock } from './clock.ts'

/** Values by key that are read in the background: nobody waits, and what was read last holds meanwhile. */
export interface ReadBehind<T> {
  /** What was read last; undefined before that. */
  known(key: string): T | undefined
  /** Has it read where it is old, for those that come after; once more by the next one where that fails. */
  refresh(by: ReadBehindServices, key: string, read: () => Promise<T>): void
}

interface ReadBehindServices {
  readonly background: Background
  readonly clock: Clock
}

interface ReadBehindOptions {
  /** What the log calls a read that fails. */
  readonly name: string
  /** Milliseconds for which a value is believed. */
  readonly refreshMs: number
}

const KEYS = 1_000

/** Keeps the values of the keys that were asked for last. */
export function createReadBehind<T extends object>({
  name,
  refreshMs,
}: ReadBehindOptions): ReadBehind<T> {
  const kept = new LRUCache<string, { readonly value: T | undefined; readonly at: number }>({
    max: KEYS,
  })
  const known = (key: string): T | undefined => kept.get(key)?.value
  return {
    known,
    refresh({ background, clock }, key, read) {
      const at = clock.now().getTime()
      const last = kept.get(key)
      if (last && at - last.at < refreshMs) return
      const value = last?.value
      kept.set(key, { value, at })
      const fail = () => kept.set(key, { value, at: Number.NEGATIVE_INFINITY })
      const isRun = background.run(name, async () => {
        try {
          kept.set(key, { value: await read(), at })
        } catch (error) {
          fail()
          throw error
        }
      })
      if (!isRun) fail()
    },
  }
}
