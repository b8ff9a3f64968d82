import { isStillCurrent, writableLocation } from '../../catalogs/index-location.ts'
import { type CatalogScope, productPlaceOf } from '../../catalogs/store.ts'
import { type BulkResult, sendBulk } from '../../elastic/bulk.ts'
import type { Collection } from '../../elastic/collection.ts'
import { ignoring, Unavailable } from '../../errors.ts'
import type { StoredProduct } from '../../products/product-documents.ts'
import { createBackoff, retryUntilCancelled } from '../../tasks/backoff.ts'
import type { TaskRunContext } from '../../tasks/task.ts'
import {
  type DraftBatch,
  isLogged,
  type LoggedWrite,
  type ProductDraft,
  placesOf,
  type WrittenProduct,
} from './draft.ts'

/** Shorter than limits.catalogRemovalMs, after which nothing may write into a deleted catalog. */
const SEND_MS = 8_000
const CONFLICT = 409
const TOO_MANY = 429

/** The task or request for which products are written. */
export type WriterRun = Pick<TaskRunContext, 'ctx' | 'isCancelled' | 'assertLease'>

/** Sends batches. Drafts that are refused for lack of room are sent again until accepted. */
export function createBatchSender<Group extends WrittenProduct>(
  { ctx, isCancelled, assertLease }: WriterRun,
  { scope, products }: { scope: CatalogScope; products: Collection<StoredProduct> },
) {
  const { elastic } = ctx

  async function send(batch: DraftBatch<Group>) {
    const { drafts, body } = batch
    /** Stored drafts with log entries to move. */
    const logged: LoggedWrite[] = []
    /** Drafts whose product another writer changed or created meanwhile. */
    const stale: number[] = []
    const refused: ProductDraft<Group>[] = []
    const unanswered = new Set<number>()
    const patience = createBackoff(isCancelled)
    let open = placesOf(batch)
    while (open.length > 0) {
      const at = await retryUntilCancelled(isCancelled, () => writableLocation(ctx, scope))
      if (productPlaceOf({ ...scope, index: at.index }).kind !== batch.actions.kind) {
        // The products have moved to another index, including those of this batch that are written.
        stale.push(...open)
        break
      }
      const bytes = open.length === drafts.length ? body.bytes() : body.bytes(open)
      const answer = await answerTo(open, bytes, drafts)
      const isWritten = () => isStillCurrent(ctx, scope, at)
      const results =
        answer && (await retryUntilCancelled(isCancelled, isWritten)) ? answer : undefined
      const again: number[] = []
      for (const [at, place] of open.entries()) {
        const draft = drafts[place]!
        const result = results?.[at]
        if (!result || result.status === TOO_MANY || result.status >= 500) again.push(place)
        else if (result.status === CONFLICT) stale.push(place)
        else if (result.error) refused.push(draft)
        else if (isLogged(draft)) logged.push(loggedWrite(place, result))
        if (!results) unanswered.add(place)
      }
      if (refused.length > 0) warn(results)
      if (again.length > 0) await patience.wait()
      open = again
    }
    const own = await ownAmong(
      batch,
      stale.filter((place) => unanswered.has(place)),
    )
    const others = stale.filter((place) => !own.has(place)).map((place) => drafts[place]!)
    return { logged, refused, stale: others }
  }

  async function answerTo(
    open: readonly number[],
    body: Buffer,
    drafts: DraftBatch<Group>['drafts'],
  ): Promise<BulkResult[] | undefined> {
    // The stored version is only needed for moving log entries.
    const versions = open.some((place) => isLogged(drafts[place]!))
    assertLease()
    const options = { timeoutMs: SEND_MS, signal: ctx.signal, versions }
    return sendBulk(elastic, { body, count: open.length }, options).catch(ignoring(Unavailable))
  }

  /** A draft without an answer may have been written: it was if an equal product is stored. */
  async function ownAmong({ drafts, body }: DraftBatch<Group>, places: readonly number[]) {
    if (places.length === 0) return new Set<number>()
    const ids = places.map((place) => drafts[place]!.group.id)
    const found = await retryUntilCancelled(isCancelled, () =>
      products.getMany(ids, { timeoutMs: SEND_MS, signal: ctx.signal, most: Infinity }),
    )
    return new Set(
      places.filter((place, at) => {
        if (drafts[place]!.removes) return found[at] === undefined
        const own = JSON.parse(body.document(place)) as StoredProduct
        const other = found[at]?.source
        return other !== undefined && written(other) === written(own)
      }),
    )
  }

  function warn(results: readonly BulkResult[] | undefined): void {
    const refusal = results?.find(({ status, error }) => error && status !== CONFLICT)
    if (refusal) ctx.log.warn({ refusal, task: ctx.requestId }, 'a product was rejected')
  }

  return send
}

/** The parts of a product that a batch may change, as text. */
const written = ({ product, listPrices }: StoredProduct): string =>
  JSON.stringify([product, listPrices])

const loggedWrite = (place: number, { seqNo, primaryTerm }: BulkResult): LoggedWrite => ({
  place,
  seqNo: seqNo!,
  primaryTerm: primaryTerm!,
})
