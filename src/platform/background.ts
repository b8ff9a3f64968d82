import { type Log, warnOf } from './log.ts'

/** Work that goes on after the answer: it never slows or fails one, and is awaited at stop. */
export interface Background {
  run(name: string, work: () => Promise<unknown>): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

/** Work beyond `limit` at once is dropped with a warning, so that an outage cannot pile it up. */
export function createBackground(log: Log, limit = 1_000): Background {
  const running = new Set<Promise<unknown>>()
  return {
    run(name, work) {
      if (running.size >= limit) {
        log.warn({ name }, 'background work dropped: too much under way')
        return
      }
      const job = work()
        .catch((error: unknown) => warnOf(log, name, error))
        .finally(() => running.delete(job))
      running.add(job)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
