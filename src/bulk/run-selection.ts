import { v7 as uuidv7 } from 'uuid'
import { type CatalogScope, openTaskCatalog, writableTaskCatalog } from '../catalogs/store.ts'
import { NotFound } from '../errors.ts'
import { countStrict, type FoundId, readIds } from '../exports/found-ids.ts'
import { productsText } from '../exports/run.ts'
import { BadRow } from '../formats/rows/mapped-row.ts'
import { applyRows, type RowOutcome } from '../imports/writing/apply-rows.ts'
import type { WrittenProduct } from '../imports/writing/draft.ts'
import { outcomeBefore } from '../imports/writing/import-mark.ts'
import { createBulkWriter } from '../imports/writing/writer.ts'
import { limits } from '../limits.ts'
import { rootOf } from '../platform/load-owner.ts'
import type { ProductDocument } from '../products/product.ts'
import { productsOf } from '../products/product-documents.ts'
import { enterForLongBatch } from '../tasks/background-admission.ts'
import { Interrupted, retryUntilCancelled } from '../tasks/backoff.ts'
import { percentOf } from '../tasks/progress.ts'
import {
  noRowCounts,
  type Outcome,
  type RowCounts,
  type TaskRun,
  type TaskRunContext,
} from '../tasks/task.ts'
import { type SelectionCheckpoint, type SelectionJob, selectionToken } from './selection-job.ts'

type SelectedProduct = FoundId & WrittenProduct
/** `gone`: removed by somebody else; `left`: skipped, since it changed after it was found. */
type SelectionOutcome = RowOutcome | 'gone' | 'left'

const PAGE = 500
/** The row number in a product's import mark, which tells whether the task has processed it. */
const ROW = 1

/** Deletes or updates what a search finds, from the beginning or where an earlier run ended. */
export const runSelection: TaskRun = async (run) => {
  let counts = run.task.counts
  try {
    return await perform(run, (more) => {
      counts = more
    })
  } catch (error) {
    if (error instanceof Interrupted && run.resumesLater()) return { status: 'stopped' }
    const why =
      error instanceof Interrupted
        ? 'Cancelled.'
        : error instanceof NotFound
          ? 'The catalog was deleted.'
          : undefined
    if (why === undefined) throw error
    return { status: 'cancelled', message: `${why} ${summaryOf(counts)}` }
  }
}

async function perform(run: TaskRunContext, note: (counts: RowCounts) => void): Promise<Outcome> {
  const { ctx, task, isCancelled } = run
  const job = task.input as SelectionJob
  const selection = { products: null, catalog: job.catalog, search: job.search }
  const scope = await retryUntilCancelled(isCancelled, () => writableTaskCatalog(ctx, job))
  const begun = task.checkpoint as SelectionCheckpoint | null
  const count = (after: string | null) =>
    retryUntilCancelled(isCancelled, () => countStrict(ctx, selection, after))
  const now = ctx.clock.now().toISOString()
  const found = await count(begun?.after ?? null)
  const tokenNow = async () => {
    const page = { after: null, size: limits.selectionIds }
    const first = await retryUntilCancelled(isCancelled, () => readIds(ctx, selection, page))
    return selectionToken({ ...scope, ...job }, { total: found, first })
  }
  const plan = await planOf(run, begun, { now, found, tokenNow })
  if ('status' in plan) return plan
  let at = plan
  // Products that an earlier run wrote after its last checkpoint are not found again, or carry its
  // mark.
  const unrecorded =
    begun?.planned === undefined ? 0 : Math.max(0, at.planned - task.counts.processed - found)
  let counts = withOutcomes(
    task.counts,
    Array.from({ length: unrecorded }, () => doneBy(job)),
  )
  run.progress({ checkpoint: at, message: job.action === 'delete' ? 'Deleting.' : 'Updating.' })
  await retryUntilCancelled(isCancelled, () => run.stored())
  const writer = createWriter(run, scope, { ...job, since: at.since })
  try {
    for (;;) {
      if (isCancelled()) throw new Interrupted()
      await retryUntilCancelled(isCancelled, () => openTaskCatalog(ctx, job))
      const { after } = at
      const page = await retryUntilCancelled(isCancelled, () =>
        readIds(ctx, selection, { after, size: PAGE }),
      )
      if (page.length === 0) break
      const { pause, leave } = await enterForLongBatch(ctx, rootOf(ctx.organization))
      const groups = page.map((one) => ({ ...one, size: 1 }))
      const outcomes = await writer.begin().write(groups, pause).finally(leave)
      const done = [...outcomes.values()].map(([outcome]) => outcome!)
      counts = withOutcomes(counts, done)
      note(counts)
      const left = at.left + done.filter((outcome) => outcome === 'left').length
      at = { ...at, after: page.at(-1)!.id, left }
      const percentCompleted = percentOf(counts.processed, at.planned, task.percentCompleted)
      run.progress({ counts, checkpoint: at, percentCompleted })
    }
  } finally {
    await writer.settled()
  }
  await retryUntilCancelled(isCancelled, () => productsOf(ctx, scope).refresh())
  const warnings =
    at.left === 0
      ? []
      : [`${productsText(at.left)} changed while the task was running and not modified.`]
  return { status: 'completed', message: summaryOf(counts), counts, warnings }
}

interface FoundNow {
  readonly now: string
  readonly found: number
  tokenNow(): Promise<string>
}

/**
 * Where to begin, or a question to confirm when the search does not find the same products as when
 * the task was requested.
 */
async function planOf(
  { task }: TaskRunContext,
  begun: SelectionCheckpoint | null,
  { now, found, tokenNow }: FoundNow,
): Promise<SelectionCheckpoint | Outcome> {
  const job = task.input as SelectionJob
  if (begun && begun.asked === undefined) return begun
  const { asked: expected, token: confirmed } = begun ?? { asked: job.total, token: job.token }
  const token = await tokenNow()
  const isSame = found === expected && (confirmed === undefined || confirmed === token)
  const start = { after: null, planned: found, left: 0 }
  if (isSame && (begun === null || task.confirmed)) return { ...start, since: now }
  const instead = found === expected ? '' : ` instead of ${expected!.toLocaleString('en-US')}`
  const other = isSame || instead !== '' ? '' : ', some of which it did not find before'
  const message = `The search now finds ${productsText(found)}${instead}${other}. Confirm the task to ${job.action} these, or cancel it.`
  return { status: 'waiting', message, checkpoint: { ...start, asked: found, token } }
}

function createWriter(
  run: TaskRunContext,
  scope: CatalogScope,
  { action, patch, since }: SelectionJob & { readonly since: string | undefined },
) {
  const { ctx, task } = run
  const marking = { task: task.id, fence: task.lease?.fence ?? 0, kept: 0, numbers: [ROW] }
  const actor = ctx.caller.username
  const isDone = ({ imported }: ProductDocument) =>
    outcomeBefore(imported, marking, ROW) !== undefined
  return createBulkWriter<SelectedProduct, SelectionOutcome>(run, {
    scope,
    expectNew: false,
    *apply({ id, version }, existing, now) {
      if (!existing) return { document: undefined, outcomes: ['gone'] }
      const { version: current, lastUpdated } = existing.product
      const isChanged = current !== version || (since !== undefined && lastUpdated >= since)
      if (isChanged && !isDone(existing)) {
        return { document: undefined, outcomes: ['left'] }
      }
      if (action === 'delete') return { document: existing, removes: true, outcomes: ['deleted'] }
      return yield* applyRows(id, existing, [{ id, patch, offers: [] }], {
        catalog: scope.name,
        organization: ctx.organization.id,
        createProducts: false,
        updateMetadata: true,
        stamp: { entryId: uuidv7({ msecs: now.getTime() }), actor, source: 'api' },
        now,
        marking,
      })
    },
    refused: (_, reason) => [new BadRow(reason)],
  })
}

const doneBy = ({ action }: SelectionJob): SelectionOutcome =>
  action === 'delete' ? 'deleted' : 'updated'

function withOutcomes(counts: RowCounts, outcomes: readonly SelectionOutcome[]): RowCounts {
  const { deleted = 0, ...rest } = counts
  const next = { ...noRowCounts, ...rest, deleted }
  next.processed += outcomes.length
  for (const outcome of outcomes) {
    if (outcome instanceof BadRow) next.rejected++
    else if (outcome === 'deleted') next.deleted++
    else if (outcome === 'gone' || outcome === 'left') next.unchanged++
    else next[outcome]++
  }
  return next
}

function summaryOf({ processed, updated, unchanged, rejected, deleted = 0 }: RowCounts): string {
  const text = (count: number) => count.toLocaleString('en-US')
  return `${productsText(processed)}: ${text(deleted)} deleted, ${text(updated)} updated, ${text(unchanged)} unchanged, ${text(rejected)} rejected.`
}
