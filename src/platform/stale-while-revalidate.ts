import { createAdmission } from './admission.ts'
import type { Background } from './background.ts'
import type { Clock } from './clock.ts'
import { createFairCache } from './fair-cache.ts'
import { ownerPath } from './load-owner.ts'

/** Values by key, refreshed in the background. Readers never wait: they get the last value. */
export interface StaleWhileRevalidateCache<T> {
  /** The last value; undefined before the first read has ended. */
  known(key: string): T | undefined
  /**
   * Reads the value again if it is old, for later callers; after a failure, some seconds later. A
   * few values are read at a time, one for each owner, and a few more wait.
   */
  refresh(by: RefreshServices, value: ReadValue<T>): void
}

interface ReadValue<T> {
  readonly key: string
  /** For whom the value counts, as loadOwner says. */
  readonly owner: string
  readonly read: () => Promise<T>
}

interface RefreshServices {
  readonly background: Background
  readonly clock: Clock
}

interface CacheOptions {
  /** The name of the value in the log of failures. */
  readonly name: string
  /** Milliseconds after which a value is old. */
  readonly refreshMs: number
}

const KEYS = 1_000
/** Keys that an owner keeps while others have more. */
const OWNER_KEYS = KEYS / 4
const AT_ONCE = 4
const WAITING = 100
/** Reads of a part of an owner that wait. */
const PART_WAITING = 10
/** Milliseconds between a failed read and the next. */
const RETRY_MS = 15_000
/** An unused value is dropped after this many times `refreshMs`. */
const KEPT = 2

interface KeptValue<T> {
  readonly value: T | undefined
  /** The time in milliseconds at which it is read again. */
  readonly next: number
}

/** Keeps the most recently used keys; owners with many lose theirs before others. */
export function createStaleWhileRevalidateCache<T extends object>({
  name,
  refreshMs,
}: CacheOptions): StaleWhileRevalidateCache<T> {
  const kept = createFairCache<KeptValue<T>>({
    most: KEYS,
    share: OWNER_KEYS,
    unusedMs: KEPT * refreshMs,
  })
  const reading = createAdmission({
    capacity: AT_ONCE,
    share: 1,
    waiting: WAITING,
    ownerWaiting: PART_WAITING,
    what: name,
  })
  /** The keys that are read or wait for it. */
  const pending = new Set<string>()

  const mayWait = (owner: string): boolean => {
    try {
      reading.check(owner)
      return true
    } catch {
      return false
    }
  }

  return {
    known: (key) => kept.get(key)?.value,
    refresh({ background, clock }, { key, owner, read }) {
      const now = () => clock.now().getTime()
      const last = kept.get(key)
      if ((last && now() < last.next) || pending.has(key) || !mayWait(owner)) return
      const keep = (value: T | undefined, ms: number) =>
        kept.set(key, { value: { value, next: now() + ms }, owner: ownerPath(owner)[0], size: 1 })
      const readNow = async () => {
        keep(last?.value, Math.min(refreshMs, RETRY_MS))
        keep(await read(), refreshMs)
      }
      pending.add(key)
      const isRun = background.run(name, () =>
        reading.run(owner, readNow).finally(() => pending.delete(key)),
      )
      if (!isRun) pending.delete(key)
    },
  }
}
