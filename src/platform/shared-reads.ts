import { createBatches } from './batches.ts'

/** Reads by key that concurrent callers share. */
export interface SharedReads<T> {
  /**
   * The result of `load`, started after the call: callers during a read share the next one. Any
   * caller's `load` may serve all of them, so they must be equivalent and ignore request signals;
   * an error goes to all.
   */
  read(key: string, load: () => Promise<T>): Promise<T>
}

/** Creates shared reads, local to this process. */
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
