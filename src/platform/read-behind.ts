import { LRUCache } from 'lru-cache'
import { createAdmission } from './admission.ts'
import type { Background } from './background.ts'
import type { Clock } from './clock.ts'

/** Values by key, refreshed in the background. Readers never wait: they get the last value. */
export interface ReadBehind<T> {
  /** The last value; undefined before the first read has ended. */
  known(key: string): T | undefined
  /**
   * Reads the value again if it is old, for later callers; after a failure, some seconds later. A
   * few values are read at a time, one for each owner.
   */
  refresh(by: ReadBehindServices, value: ReadValue<T>): void
}

interface ReadValue<T> {
  readonly key: string
  /** The owner of the value. */
  readonly owner: string
  readonly read: () => Promise<T>
}

interface ReadBehindServices {
  readonly background: Background
  readonly clock: Clock
}

interface ReadBehindOptions {
  /** The name of the value in the log of failures. */
  readonly name: string
  /** Milliseconds after which a value is old. */
  readonly refreshMs: number
}

const KEYS = 1_000
const AT_ONCE = 4
/** Milliseconds between a failed read and the next. */
const RETRY_MS = 15_000
/** A value that nobody refreshes is forgotten after so many times `refreshMs`. */
const KEPT = 2

/** Keeps the most recently used keys. */
export function createReadBehind<T extends object>({
  name,
  refreshMs,
}: ReadBehindOptions): ReadBehind<T> {
  const kept = new LRUCache<string, { readonly value: T | undefined; readonly next: number }>({
    max: KEYS,
    ttl: KEPT * refreshMs,
  })
  const reading = createAdmission({ capacity: AT_ONCE, share: 1, waiting: 0, what: name })
  return {
    known: (key) => kept.get(key)?.value,
    refresh({ background, clock }, { key, owner, read }) {
      const now = clock.now().getTime()
      const last = kept.get(key)
      if (last && now < last.next) return
      const leave = reading.tryEnter(owner)
      if (!leave) return
      const value = last?.value
      kept.set(key, { value, next: now + Math.min(refreshMs, RETRY_MS) })
      const isRun = background.run(name, async () => {
        try {
          kept.set(key, { value: await read(), next: now + refreshMs })
        } finally {
          leave()
        }
      })
      if (!isRun) leave()
    },
  }
}
