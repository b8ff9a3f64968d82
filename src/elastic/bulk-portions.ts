import type { BulkItem } from './bulk.ts'

/** Characters after which a portion is sent; Elasticsearch accepts 100 MB at once. */
const PORTION = 8 * 1024 * 1024

/** Gathers documents to write, and passes them to `send` in portions of some megabytes. */
export function createBulkPortions<T extends { readonly item: BulkItem }>(
  send: (portion: readonly T[]) => Promise<void>,
) {
  let waiting: T[] = []
  let characters = 0
  /** Sends the rest. */
  async function flush(): Promise<void> {
    if (waiting.length === 0) return
    const portion = waiting
    waiting = []
    characters = 0
    await send(portion)
  }
  return {
    flush,
    /** Adds an item, and sends the portion once it is large enough. */
    async add(one: T): Promise<void> {
      waiting.push(one)
      characters += one.item.document!.length
      if (characters >= PORTION) await flush()
    },
  }
}
