import { type BulkLines, sendBulk } from '../../elastic/bulk.ts'
import { createBulkBody } from '../../elastic/bulk-body.ts'
import type { Context } from '../../operation.ts'
import { storeEntryLines } from '../../products/change-log.ts'
import { SETTLED } from '../../products/product-documents.ts'
import type { DraftBatch, LoggedWrite, WrittenProduct } from './draft.ts'

/** Maximum number of batches whose entries wait, which limits memory. */
const WAITING = 8

/**
 * Moves the log entries of written products to their own index, in the background. Entries that
 * fail or are dropped stay in the products' `pending`, where the service finds them later.
 */
export function createLogSettler(ctx: Context) {
  const running = new Set<Promise<void>>()

  /**
   * Lines for the entries, and for the products without them. They are copies, since the batch is
   * emptied.
   */
  function linesOf(
    { actions, drafts, body, log }: DraftBatch<WrittenProduct>,
    written: readonly LoggedWrite[],
  ): [entries: BulkLines, settled: BulkLines] {
    const places: number[] = []
    // As large as the body at most, since entries are removed.
    const products = createBulkBody(body.size)
    for (const { place, ...version } of written) {
      const { group, loggedFrom, loggedTo } = drafts[place]!
      for (let at = loggedFrom; at < loggedTo; at++) places.push(at)
      const [head, , tail] = body.pieces(place)
      products.add(actions.replacing(group.id, version), head!, SETTLED, tail!)
    }
    return [
      { body: log.bytes(places), count: places.length },
      { body: products.bytes(), count: products.count },
    ]
  }

  async function move([entries, settled]: ReturnType<typeof linesOf>): Promise<void> {
    await storeEntryLines(ctx, entries)
    await sendBulk(ctx.elastic, settled)
  }

  return {
    settle(batch: DraftBatch<WrittenProduct>, written: readonly LoggedWrite[]): void {
      if (written.length === 0 || running.size >= WAITING) return
      const job = move(linesOf(batch, written))
        .catch((error: unknown) =>
          ctx.log.warn({ err: error }, 'entries of the change log are still pending'),
        )
        .finally(() => running.delete(job))
      running.add(job)
    },
    async settled(): Promise<void> {
      await Promise.all(running)
    },
  }
}
