import { bulkTaken, sendBulk } from '../../elastic/bulk.ts'
import type { Context } from '../../operation.ts'
import { type NewPoint, pointsOfWrite } from '../../products/insights/points.ts'
import type { Product, ProductDocument } from '../../products/product.ts'
import { createBackoff, retryUntilCancelled } from '../../tasks/backoff.ts'
import type { TaskRunContext } from '../../tasks/task.ts'
import { type DraftBatch, pointPlacesOf, type WrittenProduct } from './draft.ts'

const SEND_MS = 8_000
const TOO_MANY = 429

/**
 * The Insights points for an import's changes to offers. Their ids derive from the task or request
 * and the product's next version, so that a repeated run adds none twice.
 */
export const pointsOfImport = (
  { requestId }: Pick<Context, 'requestId'>,
  before: Product | undefined,
  { product }: ProductDocument,
): NewPoint[] =>
  pointsOfWrite(
    // One that was deleted and created again starts without offers.
    before?.created === product.created ? before!.vendors : [],
    product,
    `${requestId}/${product.version}`,
  )

/**
 * Stores points before their products are written, so that no price is stored without its point.
 * Existing points stay. Throws Interrupted when the run is stopped.
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
  // Some exist already, or there is no room now. Sending them again tells which.
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
