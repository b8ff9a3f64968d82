import { setTimeout } from 'node:timers/promises'
import { Invalid } from '../errors.ts'

const TRIES = 4
const JITTER_MS = 150

/**
 * Refuses one more than the limit. Concurrent requests may pass together, so this only bounds
 * growth. Limits that customers pay for use createUpToLimit.
 */
export function checkLimit(count: number, limit: number, message: string): void {
  if (count >= limit) throw new Invalid(message)
}

/** The creation of something whose number is limited by what a customer pays for. */
export interface LimitedCreation<T> {
  /** When it throws, nothing was created. */
  create(): Promise<T>
  /** The error to throw when there are too many. Sees everything whose creation has ended. */
  excess(created: T): Promise<Error | undefined>
  /** Removes what `create` made. */
  remove(created: T): Promise<unknown>
  readonly signal: AbortSignal
}

/**
 * Creates one more, never beyond the limit: a creation that finds too many afterwards removes
 * itself and tries again, so the last of several concurrent ones always notices.
 */
export async function createUpToLimit<T>({
  create,
  excess,
  remove,
  signal,
}: LimitedCreation<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    const created = await create()
    const full = await excess(created).catch(async (error: unknown) => {
      // The caller does not learn that it exists.
      await remove(created).catch(() => undefined)
      throw error
    })
    if (!full) return created
    await remove(created)
    if (left === 1) throw full
    await setTimeout(Math.random() * JITTER_MS, undefined, { signal })
  }
}
