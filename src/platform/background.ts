import { createAdmission, type Leave } from './admission.ts'
import { type Log, logFailure } from './log.ts'

/** Work after the answer: it never delays or fails a request, and is awaited at stop. */
export interface Background {
  /**
   * Returns false when the work is dropped. Work that depends on another party, such as a tenant's
   * vendor, names its `owner`, so that it leaves room for that of others.
   */
  run(name: string, work: () => Promise<unknown>, owner?: string): boolean
  /** Resolves when no work is in progress. */
  settled(): Promise<void>
}

/** Shares of the limit, for all work with an owner and for that of one owner. */
const OWNED = 1 / 2
const OF_ONE = 1 / 4

/** Drops work beyond `limit` at once with a warning, so that it cannot pile up during an outage. */
export function createBackground(log: Log, limit = 1_000): Background {
  const running = new Set<Promise<unknown>>()
  const owned = createAdmission({
    capacity: limit * OWNED,
    share: limit * OF_ONE,
    waiting: 0,
    what: 'background work',
  })
  const unowned: Leave = () => undefined

  return {
    run(name, work, owner) {
      const hasRoom = running.size < limit
      const leave = hasRoom && (owner === undefined ? unowned : owned.tryEnter(owner))
      if (!leave) {
        log.warn({ name }, 'background work dropped because too much is in progress')
        return false
      }
      const job = work()
        .catch((error: unknown) => logFailure(log, name, error))
        .finally(() => {
          running.delete(job)
          leave()
        })
      running.add(job)
      return true
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
