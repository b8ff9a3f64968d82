import { setTimeout } from 'node:timers/promises'
import { Conflict, Stale, Unavailable } from '../errors.ts'

const FIRST_MS = 8
const LONGEST_MS = 200
const AWAY_MS = 1_000

/** Retries a read-modify-write on conflicts, with jitter, until `signal` aborts. */
export async function retryWhileStale<T>(
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let ceiling = FIRST_MS; ; ceiling = Math.min(ceiling * 2, LONGEST_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Stale)) throw error
    }
    await setTimeout(Math.random() * ceiling, undefined, { signal })
  }
}

/**
 * For a creation within `retryWhileStale`: a concurrent creation counts as stale, so the document is
 * read again.
 */
export function conflictAsStale(error: unknown): never {
  throw error instanceof Conflict ? new Stale() : error
}

/**
 * Retries idempotent work while it throws Unavailable, with jitter; after `forMs` it throws that.
 */
export async function retryWhileUnavailable<T>(forMs: number, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + forMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() > until) throw error
    }
    await setTimeout((0.5 + Math.random() / 2) * AWAY_MS)
  }
}
