import { setTimeout } from 'node:timers/promises'

/**
 * Receives a promise that settles when no batch of the key is left, so that Background can await it
 * at stop.
 */
export type Follow = (batches: Promise<void>) => void

/** Work done once for all who asked for it while the previous batch was running. */
export interface Batches<T> {
  /**
   * Hands `item` to `work` in order, with every other item added for the same key meanwhile. A key
   * has one batch at a time. `work` must not throw.
   */
  add(key: string, item: T, work: (items: readonly T[]) => Promise<void>, follow?: Follow): void
}

/** Creates batches by key, local to this process. Each begins `gatherMs` after it could. */
export function createBatches<T>(gatherMs = 0): Batches<T> {
  const waiting = new Map<string, T[]>()

  async function drain(key: string, work: (items: readonly T[]) => Promise<void>): Promise<void> {
    for (let items = waiting.get(key)!; items.length > 0; items = waiting.get(key)!) {
      if (gatherMs > 0) await setTimeout(gatherMs)
      waiting.set(key, [])
      await work(items)
    }
    waiting.delete(key)
  }

  return {
    add(key, item, work, follow) {
      const line = waiting.get(key)
      if (line) line.push(item)
      else {
        waiting.set(key, [item])
        const batches = drain(key, work)
        follow?.(batches)
      }
    },
  }
}
