import { setTimeout } from 'node:timers/promises'
import { Stale } from '../errors.ts'

const FIRST_MS = 8
const LONGEST_MS = 200

/** Repeats a read-modify-write while others are faster, with jitter, until `signal` aborts. */
export async function whileStale<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (let ceiling = FIRST_MS; ; ceiling = Math.min(ceiling * 2, LONGEST_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Stale)) throw error
    }
    await setTimeout(Math.random() * ceiling, undefined, { signal })
  }
}
