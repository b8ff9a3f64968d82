import { type Log, warnOf } from './log.ts'

/** Work after the answer: it never delays or fails a request, and is awaited at stop. */
export interface Background {
  run(name: string, work: () => Promise<unknown>): void
  /** Resolves when no work is in progress. */
  settled(): Promise<void>
}

/**
 * Work beyond `limit` at once is dropped with a warning, so that it cannot pile up during an
 * outage.
 */
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
