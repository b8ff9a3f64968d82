import type { CatalogScope } from '../../catalogs/store.ts'
import { refreshIndex } from '../../elastic/refresh.ts'
import { retryUntilCancelled } from '../../tasks/backoff.ts'
import type { Outcome, RowCounts, TaskRunContext } from '../../tasks/task.ts'
import type { ImportCheckpoint } from '../checkpoint.ts'
import { summaryOf } from '../tally.ts'
import { ProductRows } from '../writing/product-rows.ts'
import type { BatchWriter } from '../writing/writer.ts'
import { noListedProducts, removeListedProducts } from './listed-products.ts'
import { removalQuestion, removedText } from './removal-question.ts'
import { countOffers, type UnlistedOptions, unlistedProducts } from './unlisted-products.ts'

export interface RemovalOptions {
  readonly run: TaskRunContext
  readonly scope: CatalogScope
  readonly vendor: string
  readonly counts: RowCounts
  readonly checkpoint: ImportCheckpoint
  readonly writer: BatchWriter
  /** Asked before each batch; throws to end the import. */
  readonly check: () => Promise<void>
}

const BATCH = 500

/**
 * Takes the vendor's offers off the products that the file did not list, and ends the import; asks
 * first where most of them would go. What was removed once is not found again, so that a run that
 * goes on after an interruption begins anew.
 */
export async function removeUnlisted(options: RemovalOptions): Promise<Outcome> {
  const { run, scope, vendor, checkpoint, counts } = options
  const { ctx, isCancelled } = run
  const { listed = noListedProducts, unknown = 0, notes = [] } = checkpoint
  const say = (text: string) => [text, summaryOf(counts), ...notes].join(' ')
  if (listed.parts === null) {
    const message = 'No offer was removed: there was no room to keep what the file lists.'
    return { status: 'completed', counts, message: say(message), checkpoint: null }
  }
  run.progress({ message: 'Looking for offers that the file does not list.' })
  await retryUntilCancelled(isCancelled, () => refreshIndex(ctx.elastic, 'products'))
  const search = { ctx, scope, vendor, listed, isCancelled }
  const found = await count(search)
  const { asked, planned: begun } = checkpoint
  const question = removalQuestion({ vendor, unknown, asked, ...found })
  // Who confirmed had other numbers before them where offers have come since.
  const isAgreed = run.task.confirmed && found.unlisted <= (asked ?? found.unlisted)
  if (question && begun === undefined && !isAgreed) {
    const at = { ...checkpoint, asked: found.unlisted }
    return { status: 'waiting', message: say(question), counts, checkpoint: at }
  }
  const planned = begun ?? found.unlisted
  run.progress({ message: 'Removing offers.', checkpoint: { ...checkpoint, planned } })
  // What is removed from here on is counted by what is left: also by a run that comes later.
  await retryUntilCancelled(isCancelled, () => run.stored())
  const removed = await remove(options, { search, before: planned - found.unlisted })
  await retryUntilCancelled(isCancelled, () => refreshIndex(ctx.elastic, 'products'))
  run.hold()
  await removeListedProducts(ctx, listed)
  const message = say(removedText(removed, vendor))
  return { status: 'completed', message, counts: { ...counts, removed }, checkpoint: null }
}

async function count(search: UnlistedOptions) {
  const offered = await countOffers(search)
  let missing = 0
  for await (const ids of unlistedProducts(search)) missing += ids.length
  return { offered, unlisted: missing }
}

interface Removing {
  readonly search: UnlistedOptions
  /** Offers that an earlier run removed. */
  readonly before: number
}

async function remove(
  { run, vendor, counts, checkpoint, writer, check }: RemovalOptions,
  { search, before }: Removing,
): Promise<number> {
  let removed = Math.max(0, before)
  const change = (id: string) =>
    ({ id, patch: {}, offers: [{ vendorName: vendor }], action: 'withdraw' }) as const
  for await (const page of unlistedProducts(search)) {
    for (let at = 0; at < page.length; at += BATCH) {
      await check()
      const groups = page.slice(at, at + BATCH).map((id) => {
        const row = { line: 0, text: '' }
        const first = { row, change: change(id), number: checkpoint.rows + 1 }
        return new ProductRows(id, () => change(id), first)
      })
      const outcomes = await writer.begin().write(groups)
      for (const [outcome] of outcomes.values()) if (outcome === 'updated') removed++
      run.progress({ counts: { ...counts, removed } })
    }
  }
  await writer.settled()
  return removed
}
