import { Unavailable } from '../errors.ts'
import { createBatches, type Follow } from '../platform/batches.ts'
import { type BulkItem, type BulkOptions, type BulkResult, bulk } from './bulk.ts'
import type { Elastic } from './client.ts'

interface BufferOptions extends Pick<BulkOptions, 'timeoutMs' | 'versions' | 'refresh'> {
  /** Milliseconds for which items are gathered before a bulk is sent. */
  readonly gatherMs?: number
  /** How often a bulk is sent that gets no answer. Its items may then be written twice. */
  readonly attempts?: number
}

export interface BufferedBulk {
  /**
   * Writes items in one bulk with those of concurrent callers. Returns the result of each, in
   * order. Throws Unavailable.
   */
  write(elastic: Elastic, items: readonly BulkItem[], follow?: Follow): Promise<BulkResult[]>
}

interface BufferedItem extends PromiseWithResolvers<BulkResult[]> {
  readonly items: readonly BulkItem[]
}

/** Creates a buffer, local to this process, that sends one bulk at a time. */
export function createBufferedBulk({
  gatherMs,
  attempts = 1,
  ...options
}: BufferOptions = {}): BufferedBulk {
  const batches = createBatches<BufferedItem>(gatherMs)

  async function send(elastic: Elastic, waiting: readonly BufferedItem[], left = attempts) {
    try {
      const all = waiting.flatMap(({ items }) => items)
      const results = await bulk(elastic, all, options)
      let from = 0
      for (const { items, resolve } of waiting) {
        resolve(results.slice(from, from + items.length))
        from += items.length
      }
    } catch (error) {
      if (left > 1 && error instanceof Unavailable) return send(elastic, waiting, left - 1)
      for (const { reject } of waiting) reject(error)
    }
  }

  return {
    write(elastic, items, follow) {
      if (items.length === 0) return Promise.resolve([])
      const waiting = { items, ...Promise.withResolvers<BulkResult[]>() }
      batches.add('', waiting, (all) => send(elastic, all), follow)
      return waiting.promise
    },
  }
}
