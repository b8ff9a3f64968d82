import { setTimeout } from 'node:timers/promises'
import { Unavailable } from '../errors.ts'

const PATIENCE_MS = 60_000
const AGAIN_MS = 500

/** Tries again for a minute: a search engine that has just started may be slow to answer. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() > until) throw error
    }
    await setTimeout(AGAIN_MS)
  }
}
