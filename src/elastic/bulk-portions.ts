import type { BulkItem } from './bulk.ts'

/** Characters from which on documents are sent; Elasticsearch takes 100 MB at once. */
const PORTION = 8 * 1024 * 1024

interface WaitingItem {
  readonly item: BulkItem
}

/** Gathers documents that are written, and hands them to `send` in portions of some megabytes. */
export function createBulkPortions<T extends WaitingItem>(
  send: (portion: readonly T[]) => Promise<void>,
) {
  let waiting: T[] = []
  let characters = 0
  /** Sends what is left. */
  async function flush(): Promise<void> {
    if (waiting.length === 0) return
    const portion = waiting
    waiting = []
    characters = 0
    await send(portion)
  }
  return {
    flush,
    /** Sends what was added so far once it is a portion. */
    async add(one: T): Promise<void> {
      waiting.push(one)
      characters += one.item.document!.length
      if (characters >= PORTION) await flush()
    },
  }
}
