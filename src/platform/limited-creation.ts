import { setTimeout } from 'node:timers/promises'
import { Invalid } from '../errors.ts'

const TRIES = 4
const JITTER_MS = 150

/**
 * Refuses one more. Requests at the same time may pass this together: it bounds growth. What is
 * sold is held by createUpToLimit.
 */
export function checkLimit(count: number, limit: number, message: string): void {
  if (count >= limit) throw new Invalid(message)
}

/** A creation of something of which only so many are sold. */
export interface LimitedCreation<T> {
  /** What it throws was not created. */
  create(): Promise<T>
  /** What to throw when there are too many now; sees everything whose creation has ended. */
  excess(created: T): Promise<Error | undefined>
  /** Takes back what `create` made. */
  remove(created: T): Promise<unknown>
  readonly signal: AbortSignal
}

/**
 * Creates one more, never beyond the limit: whoever finds too many after its own creation takes it
 * back and tries again, so the last of several at the same time always notices.
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
      // Nobody was told of it.
      await remove(created).catch(() => undefined)
      throw error
    })
    if (!full) return created
    await remove(created)
    if (left === 1) throw full
    await setTimeout(Math.random() * JITTER_MS, undefined, { signal })
  }
}
