import { createHash } from 'node:crypto'
import type { CatalogScope } from '../../catalogs/store.ts'
import type { RowChange } from '../../formats/rows/row-change.ts'
import { rootOf } from '../../platform/load-owner.ts'
import { slicesOf } from '../../platform/slices.ts'
import { productsOf } from '../../products/product-documents.ts'
import { enterForLongBatch } from '../../tasks/background-admission.ts'
import { retryUntilCancelled } from '../../tasks/backoff.ts'
import type { Outcome, RowCounts, TaskRunContext } from '../../tasks/task.ts'
import { token } from '../../text.ts'
import type { ImportCheckpoint } from '../checkpoint.ts'
import type { ImportRequest } from '../schemas.ts'
import type { ImportSettings } from '../settings.ts'
import { summaryOf } from '../tally.ts'
import { ProductRows } from '../writing/product-rows.ts'
import { createRowWriter } from '../writing/row-writer.ts'
import { noListedProducts, removeListedProducts } from './listed-products.ts'
import { removalQuestion, removedText } from './removal-question.ts'
import { countOffers, type UnlistedOptions, unlistedProducts } from './unlisted-products.ts'

interface RemovalOptions {
  readonly scope: CatalogScope
  readonly counts: RowCounts
  readonly checkpoint: ImportCheckpoint
  /** Called before each batch; throws to end the import. */
  readonly check: () => Promise<unknown>
}

const BATCH = 500

/**
 * Removes the vendor's offers of products that the file does not list, and ends the import. Asks
 * first if most or all of them would be removed. A resumed run starts over, since removed offers
 * are not found again.
 */
export async function removeUnlisted(
  run: TaskRunContext,
  options: RemovalOptions,
): Promise<Outcome> {
  const { ctx, isCancelled } = run
  const { scope, checkpoint, counts } = options
  const { missing = 'keep', ...input } = run.task.input as ImportSettings
  const vendor = input.vendor!
  const { listed = noListedProducts, unknown = 0, notes = [] } = checkpoint
  // Once a removal has begun, the counts may contain products that it deleted.
  const { deletedByRows = counts.deleted ?? 0 } = checkpoint
  const ofRows = { ...counts, deleted: deletedByRows }
  const say = (text: string) => [text, summaryOf(ofRows), ...notes].join(' ')
  if (listed.parts === null) {
    const message =
      'No offers were removed: there was no space to store the list of offers in the file.'
    return { status: 'completed', counts, message: say(message) }
  }
  run.progress({ message: 'Looking for offers that the file does not list.' })
  await retryUntilCancelled(isCancelled, () => productsOf(ctx, scope).refresh())
  const search = { ctx, scope, vendor, listed, isCancelled }
  const found = await count(search)
  const { asked, planned: begun } = checkpoint
  const { print, ...numbers } = found
  // Tasks of older versions have only their number.
  const hasOthers = (checkpoint.askedPrint ?? print) !== print
  const question = removalQuestion({
    ...{ vendor, unknown, asked, hasOthers, missing, listed: listed.count, ...numbers },
  })
  // Offers that were added later were not part of the confirmed question.
  const isAgreed = run.task.confirmed && !hasOthers && found.unlisted <= (asked ?? found.unlisted)
  if (question && begun === undefined && !isAgreed) {
    const at = { ...checkpoint, asked: found.unlisted, askedPrint: print }
    return { status: 'waiting', message: say(question), counts, checkpoint: at }
  }
  const planned = begun ?? found.unlisted
  const plan = { ...checkpoint, planned, deletedByRows }
  run.progress({ message: 'Removing offers.', checkpoint: plan })
  // Later runs also compute the number of removed offers from the remaining ones.
  await retryUntilCancelled(isCancelled, () => run.stored())
  const before = planned - found.unlisted
  const done = await remove(run, options, { search, before, missing })
  await retryUntilCancelled(isCancelled, () => productsOf(ctx, scope).refresh())
  run.assertLease()
  await removeListedProducts(ctx, listed)
  const deleted = (done.deleted ?? deletedByRows) - deletedByRows
  const message = say(removedText({ ...done, deleted }, vendor))
  return { status: 'completed', message, counts: { ...counts, ...done } }
}

async function count(search: UnlistedOptions) {
  const offered = await countOffers(search)
  let unlisted = 0
  const hash = createHash('sha256')
  for await (const ids of unlistedProducts(search)) {
    unlisted += ids.length
    for (const id of ids) hash.update(token(id, ''))
  }
  return { offered, unlisted, print: hash.digest('base64url') }
}

interface UnlistedRemoval {
  readonly search: UnlistedOptions
  /** Offers that an earlier run removed. */
  readonly before: number
  /** What happens to products that lose their last offer. */
  readonly missing: ImportRequest['missing']
}

async function remove(
  run: TaskRunContext,
  { scope, counts, checkpoint, check }: RemovalOptions,
  { search, before, missing }: UnlistedRemoval,
): Promise<Pick<RowCounts, 'removed' | 'hidden' | 'deleted'>> {
  const options = { createProducts: false, updateMetadata: true, scope, expectNew: false }
  const writer = createRowWriter(run, options)
  const { vendor } = search
  let removed = Math.max(0, before)
  let { hidden = 0, deleted = 0 } = counts
  const done = () => ({
    removed,
    ...(missing === 'hide' ? { hidden } : {}),
    ...(missing === 'delete' ? { deleted } : {}),
  })
  const change = (id: string): RowChange => ({
    ...{ id, patch: {}, offers: [{ vendorName: vendor }] },
    action: 'withdraw',
    ...(missing === 'keep' ? {} : { afterLast: missing }),
  })
  for await (const page of unlistedProducts(search)) {
    for (const slice of slicesOf(page, BATCH)) {
      await check()
      const place = { line: 0, length: 0, number: checkpoint.rows + 1 }
      const groups = slice.map((id) => new ProductRows(id, { ...place, change: change(id) }))
      const { pause, leave } = await enterForLongBatch(run.ctx, rootOf(run.ctx.organization))
      const outcomes = await writer.begin().write(groups, pause).finally(leave)
      for (const [outcome] of outcomes.values()) {
        if (outcome === 'updated' || outcome === 'hidden' || outcome === 'deleted') removed++
        if (outcome === 'hidden') hidden++
        if (outcome === 'deleted') deleted++
      }
      run.progress({ counts: { ...counts, ...done() } })
    }
  }
  await writer.settled()
  return done()
}
