import { setTimeout as sleep } from 'node:timers/promises'
import { ignoring, TooManyRequests, Unavailable } from '../errors.ts'
import { retryWhile } from '../platform/retry.ts'

const FIRST_MS = 100
const LONGEST_MS = 3_000
const STEP_MS = 100

/** The task was asked to stop while it waited. */
export class Interrupted extends Error {}

/** Waits. Throws Interrupted as soon as the task is asked to stop. */
export async function pause(isCancelled: () => boolean, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    if (isCancelled()) throw new Interrupted()
    await sleep(Math.min(left, STEP_MS))
  }
  if (isCancelled()) throw new Interrupted()
}

/** Waits, longer each time and with jitter. */
export function createBackoff(isCancelled: () => boolean) {
  let ceiling = FIRST_MS
  return {
    /** Throws Interrupted. */
    async wait(): Promise<void> {
      const ms = ceiling * (0.5 + Math.random() / 2)
      ceiling = Math.min(ceiling * 2, LONGEST_MS)
      await pause(isCancelled, ms)
    },
  }
}

/** Retries work while storage is unavailable or overloaded. Throws Interrupted when the task is to stop. */
export function retryUntilCancelled<T>(
  isCancelled: () => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const patience = createBackoff(isCancelled)
  return retryWhile([Unavailable, TooManyRequests], work, () => patience.wait())
}

/** Swallows Interrupted, where the work may be done later. */
export const ignoreInterrupted = ignoring(Interrupted)
