import { createBatches } from './batches.ts'

/** Reads by key that those who ask at the same time share. */
export interface SharedReads<T> {
  /**
   * What `load` finds, begun after the call: who asks while one is under way shares the next. So
   * `load` is nobody's own and heeds no request's signal; it throws to all who share it.
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
