import { setTimeout } from 'node:timers/promises'
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

/**
 * Creates shared reads, local to this process. Between two reads it pauses for as long as the first
 * took, `restMs` at most.
 */
export function createSharedReads<T>(restMs = 0): SharedReads<T> {
  const batches = createBatches<PromiseWithResolvers<T>>()
  return {
    read(key, load) {
      const reading = Promise.withResolvers<T>()
      batches.add(key, reading, async (waiting) => {
        const began = performance.now()
        try {
          const found = await load()
          for (const { resolve } of waiting) resolve(found)
        } catch (error) {
          for (const { reject } of waiting) reject(error)
        }
        const rest = Math.min(restMs, performance.now() - began)
        if (rest > 0) await setTimeout(rest, undefined, { ref: false })
      })
      return reading.promise
    },
  }
}
