import { setTimeout } from 'node:timers/promises'

/** Told of the batches of a key, which end when nothing waits: for Background, which a stop waits for. */
export type Follow = (batches: Promise<void>) => void

/** Work that is done once for all who asked for it while the work before was under way. */
export interface Batches<T> {
  /**
   * Hands `item` to `work`, with every other item that came for the same key meanwhile, in order.
   * A key has one batch at a time. `work` must not throw.
   */
  add(key: string, item: T, work: (items: readonly T[]) => Promise<void>, follow?: Follow): void
}

/** Batches by key, in this process only; each begins `gatherMs` after it could. */
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
