import { setTimeout } from 'node:timers/promises'

/** Something of which there may only be so many. */
export interface Bounded {
  readonly limit: number
  /** How many there are; sees every one whose creation has ended. */
  count(): Promise<number>
  /** What it throws was not created. */
  create(): Promise<void>
  /** Takes back what `create` made. */
  remove(): Promise<unknown>
  /** What is thrown when there is no room. */
  full(): Error
  readonly signal: AbortSignal
}

const TRIES = 4
const JITTER_MS = 150

/**
 * Creates one more, never beyond the limit: who finds too many after its own creation takes it back
 * and tries again, so the last of several at the same time always notices.
 */
export async function createWithin(bounded: Bounded): Promise<void> {
  for (let left = TRIES; left > 0; left--) {
    if ((await bounded.count()) >= bounded.limit) throw bounded.full()
    if (await fits(bounded)) return
    await setTimeout(Math.random() * JITTER_MS, undefined, { signal: bounded.signal })
  }
  throw bounded.full()
}

async function fits({ limit, count, create, remove }: Bounded): Promise<boolean> {
  await create()
  try {
    if ((await count()) <= limit) return true
  } catch (error) {
    // Nobody was told of it.
    await remove().catch(() => undefined)
    throw error
  }
  await remove()
  return false
}
