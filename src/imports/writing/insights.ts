import { bulkTaken, sendBulk } from '../../elastic/bulk.ts'
import type { Context } from '../../operation.ts'
import { type NewPoint, pointsOf } from '../../products/insights/points.ts'
import type { Product, ProductDocument } from '../../products/product.ts'
import { createBackoff, retryUntilCancelled } from '../../tasks/backoff.ts'
import type { TaskRunContext } from '../../tasks/task.ts'
import { type DraftBatch, pointPlacesOf, type WrittenProduct } from './draft.ts'

const SEND_MS = 8_000
const TOO_MANY = 429

/**
 * The points of Insights for what an import does to offers. The task, or the request, and the product's
 * next version name the change, so that a repeated run adds none twice.
 */
export const pointsOfImport = (
  { requestId }: Pick<Context, 'requestId'>,
  before: Product | undefined,
  { product }: ProductDocument,
): NewPoint[] =>
  pointsOf(
    { before: before?.vendors ?? [], after: product.vendors },
    {
      change: `${requestId}/${product.version}`,
      catalog: product.catalog,
      productId: product.id,
      manufacturerPartNumber: product.manufacturerPartNumber,
      date: product.lastUpdated,
      version: product.version,
    },
  )

/**
 * Stores points before their products are written: whatever interrupts the import, no price is
 * stored without its point. Points that exist already stay. Throws Interrupted when told to give way.
 */
export async function sendPoints(
  batch: DraftBatch<WrittenProduct>,
  { ctx, isCancelled }: Pick<TaskRunContext, 'ctx' | 'isCancelled'>,
): Promise<void> {
  const { points } = batch
  const options = { timeoutMs: SEND_MS, signal: ctx.signal }
  let open = pointPlacesOf(batch)
  const all = open.length === points.count
  const lines = () => ({ body: all ? points.bytes() : points.bytes(open), count: open.length })
  if (await retryUntilCancelled(isCancelled, () => bulkTaken(ctx.elastic, lines(), options))) return
  // Some exist already, or there is no room now: sending them once more tells which.
  const patience = createBackoff(isCancelled)
  while (open.length > 0) {
    const sent = { body: points.bytes(open), count: open.length }
    const results = await retryUntilCancelled(isCancelled, () =>
      sendBulk(ctx.elastic, sent, options),
    )
    open = open.filter((_, at) => {
      const { status } = results[at]!
      return status === TOO_MANY || status >= 500
    })
    if (open.length > 0) await patience.wait()
  }
}
