import { bulkTaken, sendBulk } from '../../elastic/bulk.ts'
import type { Context } from '../../operation.ts'
import { type NewPoint, pointsOf } from '../../products/insights/points.ts'
import type { Product, ProductDocument } from '../../products/product.ts'
import { createBackoff, retryUntilCancelled } from '../../tasks/backoff.ts'
import { type DraftBatch, pointPlacesOf } from './draft.ts'

const SEND_MS = 8_000
const TOO_MANY = 429

/**
 * What an import makes of offers, told to Insights. The task and the product's next version name
 * the change, so that a run that does it once more tells nothing twice.
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

interface SendOptions {
  readonly ctx: Context
  readonly isCancelled: () => boolean
}

/**
 * Stores points before the products that they are about are written: whatever ends the import in
 * between, no price is stored that was never told. Throws Interrupted when told to give way.
 */
export async function sendPoints(
  batch: DraftBatch,
  { ctx, isCancelled }: SendOptions,
): Promise<void> {
  const { points } = batch
  const options = { timeoutMs: SEND_MS, signal: ctx.signal }
  let open = pointPlacesOf(batch)
  const all = open.length === points.count
  const lines = () => ({ body: all ? points.bytes() : points.bytes(open), count: open.length })
  if (await retryUntilCancelled(isCancelled, () => bulkTaken(ctx.elastic, lines(), options))) return
  // Some are there already, or there is no room now: which of them is seen when they are sent again.
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
