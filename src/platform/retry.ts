import { setTimeout } from 'node:timers/promises'
import {
  Conflict,
  deadlineFailure,
  type FailureKind,
  ignoring,
  Stale,
  Unavailable,
} from '../errors.ts'

const FIRST_MS = 8
const LONGEST_MS = 200
const AWAY_MS = 1_000

/** Repeats `attempt` until it succeeds. `pause` waits before each repetition, or throws to give up. */
export async function retry<T>(
  attempt: () => Promise<T>,
  pause: (error: unknown) => Promise<unknown>,
): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      await pause(error)
    }
  }
}

/** Like retry, for failures of these kinds. A deadline that passed counts as Unavailable. */
export const retryWhile = <T>(
  kinds: readonly FailureKind[],
  attempt: () => Promise<T>,
  pause: (failure: Error) => Promise<unknown>,
): Promise<T> =>
  retry(attempt, (thrown) => {
    const error = deadlineFailure(thrown)
    ignoring(...kinds)(error)
    return pause(error as Error)
  })

/** Retries a read-modify-write on conflicts, with jitter, until `signal` aborts. */
export function retryWhileStale<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  let ceiling = FIRST_MS
  return retryWhile([Stale], attempt, async () => {
    await setTimeout(Math.random() * ceiling, undefined, { signal })
    ceiling = Math.min(ceiling * 2, LONGEST_MS)
  })
}

/** For creations within `retryWhileStale`: counts a concurrent creation as stale. */
export function conflictAsStale(error: unknown): never {
  throw error instanceof Conflict ? new Stale() : error
}

/** Retries idempotent work with jitter while it throws Unavailable, for `forMs` milliseconds. */
export function retryWhileUnavailable<T>(forMs: number, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + forMs
  return retryWhile([Unavailable], work, async (failure) => {
    if (performance.now() > until) throw failure
    await setTimeout((0.5 + Math.random() / 2) * AWAY_MS)
  })
}
