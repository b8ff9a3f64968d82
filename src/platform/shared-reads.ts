import { createBatches } from './batches.ts'

/** Reads by key that those who ask at the same time share. */
export interface SharedReads<T> {
  /**
   * What `load` finds, begun after the call: who asks while one is under way shares the next. Any
   * `load` of a key may serve all, so they are alike and heed no request's signal; throws to all.
   */
  read(key: string, load: () => Promise<T>): Promise<T>
}

/** Shared reads of this process. */
export function createSharedReads<T>(): SharedReads<T> {
  const batches = createBatches<PromiseWithResolvers<T>>()
  return {
    read(key, load) {
      const reading = Promise.withResolvers<T>()
      batches.add(key, reading, async (waiting) => {
        try {
          const found = await load()
          for (const { resolve } of waiting) resolve(found)
        } catch (error) {
          for (const { reject } of waiting) reject(error)
        }
      })
      return reading.promise
    },
  }
}
