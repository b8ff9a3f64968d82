import { createBatches } from './batches.ts'

/** Pieces of work for one key, one after the other. */
export interface Turns {
  /** Does `work` once all that came before for the same key has ended; throws what it throws. */
  take<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** Turns by key, in this process only. */
export function createTurns(): Turns {
  const turns = createBatches<() => Promise<void>>()
  return {
    take<T>(key: string, work: () => Promise<T>) {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const turn = () => work().then(resolve, reject)
      turns.add(key, turn, async (waiting) => {
        for (const next of waiting) await next()
      })
      return promise
    },
  }
}
