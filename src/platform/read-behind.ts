import { LRUCache } from 'lru-cache'
import { createAdmission } from './admission.ts'
import type { Background } from './background.ts'
import type { Clock } from './clock.ts'

/** Values by key that are read in the background: nobody waits, and what was read last holds meanwhile. */
export interface ReadBehind<T> {
  /** What was read last; undefined before that. */
  known(key: string): T | undefined
  /**
   * Has it read where it is old, for those that come after; a while later once more where that fails.
   * A few are read at once, one of each owner.
   */
  refresh(by: ReadBehindServices, value: ReadValue<T>): void
}

interface ReadValue<T> {
  readonly key: string
  /** Who has what is read. */
  readonly owner: string
  readonly read: () => Promise<T>
}

interface ReadBehindServices {
  readonly background: Background
  readonly clock: Clock
}

interface ReadBehindOptions {
  /** What the log calls a read that fails. */
  readonly name: string
  /** Milliseconds after which a value is read anew. */
  readonly refreshMs: number
}

const KEYS = 1_000
const AT_ONCE = 4
/** Milliseconds between a read that failed and the next. */
const RETRY_MS = 15_000
/** A value that nobody has read anew is forgotten after so many times that. */
const KEPT = 2

/** Keeps the values of the keys that were asked for last. */
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
