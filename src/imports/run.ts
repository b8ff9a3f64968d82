import { CatalogNotFound } from '../catalogs/look-up.ts'
import { type CatalogScope, openTaskCatalog, writableTaskCatalog } from '../catalogs/store.ts'
import { DiskFull, Failure, Unavailable } from '../errors.ts'
import { storedFile } from '../formats/bytes/stored-bytes.ts'
import { formatOf } from '../formats/registry.ts'
import type { WorkerFile } from '../formats/worker/open-in-worker.ts'
import { limits } from '../limits.ts'
import { withEagerCollection } from '../platform/eager-collection.ts'
import { rootOf } from '../platform/load-owner.ts'
import { logFailure } from '../platform/log.ts'
import { othersThan } from '../platform/pacing.ts'
import { productsOf } from '../products/product-documents.ts'
import { enterForLongBatch, type LongBatchPlaces } from '../tasks/background-admission.ts'
import { Interrupted, retryUntilCancelled } from '../tasks/backoff.ts'
import type { Outcome, TaskRun, TaskRunContext } from '../tasks/task.ts'
import { createBatchesInFlight } from './batches-in-flight.ts'
import { canResume, type ImportCheckpoint, startingCheckpoint } from './checkpoint.ts'
import { fetchFile } from './download.ts'
import {
  createListedProducts,
  type ListedProducts,
  noListedProducts,
} from './full-file/listed-products.ts'
import { removeUnlisted } from './full-file/remove-unlisted.ts'
import { type GroupRowsOptions, groupRows, groupRowsDirectly } from './group-rows.ts'
import { createManufacturers } from './manufacturers.ts'
import { openFile, pacedFile } from './open-file.ts'
import { queuePicturesAfter } from './pictures/queue.ts'
import { createRejects, type Rejects } from './rejects.ts'
import { createImportReport, type ImportReport } from './report.ts'
import type { ImportInput, ImportSettings } from './settings.ts'
import { tallyOf } from './tally.ts'
import { createResolver } from './writing/resolver.ts'
import { createRowWriter, type RowWriter } from './writing/row-writer.ts'

const COUNT_MS = 30_000

/** Runs an import task, from the beginning or where an earlier run ended. */
export const runImport: TaskRun = async (run) => {
  const report = createImportReport(run)
  try {
    return await withPictures(run, await withEagerCollection(() => readAndWrite(run, report)))
  } catch (error) {
    if (error instanceof Interrupted) return report.giveWay()
    if (error instanceof CatalogNotFound) return report.giveWay('The catalog was deleted.')
    if (!(error instanceof Failure) || error instanceof Unavailable) throw error
    if (error instanceof DiskFull) logFailure(run.ctx.log, 'import a file', error)
    return report.end('failed', error.message)
  }
}

/** Queues a task that fetches pictures, if requested, before the import ends. */
async function withPictures(run: TaskRunContext, outcome: Outcome): Promise<Outcome> {
  const { ctx, task, isCancelled } = run
  const input = task.input as ImportInput
  if (input.pictures !== 'fetch' || outcome.status !== 'completed') return outcome
  const scope = await retryUntilCancelled(isCancelled, () => writableTaskCatalog(ctx, input))
  run.assertLease()
  const id = await retryUntilCancelled(isCancelled, () => queuePicturesAfter(ctx, scope, task.id))
  return { ...outcome, message: `${outcome.message} Task ${id} fetches the pictures.` }
}

async function readAndWrite(run: TaskRunContext, report: ImportReport): Promise<Outcome> {
  const { ctx, isCancelled, task } = run
  const input = task.input as ImportInput
  const scope = await retryUntilCancelled(isCancelled, () => writableTaskCatalog(ctx, input))
  const settings: ImportSettings = { ...input, file: await fetchFile(run, input.file) }
  const check = () => retryUntilCancelled(isCancelled, () => openTaskCatalog(ctx, input))
  const begun = task.checkpoint as ImportCheckpoint | null
  if (begun?.read) {
    return removeUnlisted(run, { scope, check, counts: task.counts, checkpoint: begun })
  }
  run.progress({ message: 'Reading the file.' })
  const stored = pacedFile(ctx, storedFile(ctx.files, settings.file))
  const hasOthers = othersThan(ctx)
  const mostRows = () => (hasOthers() ? limits.sharedBatchRows : Infinity)
  const file = await openFile(stored, settings, { now: ctx.clock.now(), isCancelled, mostRows })
  try {
    const checkpoint = await checkpointOf(run, settings, { scope, reading: file.reading })
    const rejects = createRejects(run, {
      format: formatOf(settings.fileType)!.rejectsAs,
      headings: file.headings,
      state: checkpoint.rejects,
    })
    const listed = settings.fullFile
      ? createListedProducts(run, checkpoint.listed ?? noListedProducts)
      : undefined
    const { notes, bytes, uses, warnings } = file
    report.begin({ rejects, notes, bytes, uses, warnings, checkpoint, listed })
    await writeRows(run, { settings, scope, check, file, checkpoint, rejects, listed, report })
    if (isCancelled()) throw new Interrupted()
    // The last batches may have been under way when the catalog was deleted.
    await check()
    // A caller who reads "completed" may search at once.
    await retryUntilCancelled(isCancelled, () => productsOf(ctx, scope).refresh({ shared: true }))
    if (!settings.fullFile) return await report.end('completed')
    return await removeUnlisted(run, { scope, check, ...(await report.allRead()) })
  } finally {
    await file.close()
  }
}

/** The checkpoint to begin with. Refreshes the index, which then has all earlier writes. */
async function checkpointOf(
  { ctx, task, isCancelled }: TaskRunContext,
  { file }: ImportSettings,
  { scope, reading }: { scope: CatalogScope; reading: string | undefined },
): Promise<ImportCheckpoint> {
  await retryUntilCancelled(isCancelled, () => productsOf(ctx, scope).refresh({ shared: true }))
  const begun = task.checkpoint as Partial<ImportCheckpoint> | null
  if (canResume(begun, reading)) return begun
  const products = await retryUntilCancelled(isCancelled, () =>
    productsOf(ctx, scope).count(undefined, { timeoutMs: COUNT_MS }),
  )
  return startingCheckpoint(begun, { empty: products === 0, file, reading })
}

interface RowsToWrite {
  readonly settings: ImportSettings
  readonly scope: CatalogScope
  readonly check: () => Promise<unknown>
  readonly file: WorkerFile
  readonly checkpoint: ImportCheckpoint
  readonly rejects: Rejects
  /** The products that a full file lists. */
  readonly listed: ListedProducts | undefined
  readonly report: ImportReport
}

/** Reads, resolves, writes and commits the rows. Returns early when the run is stopped. */
async function writeRows(run: TaskRunContext, rest: RowsToWrite): Promise<void> {
  const { ctx, isCancelled } = run
  const { settings, scope, check, file, checkpoint, rejects, listed, report } = rest
  const { empty, naming, rows: skip } = checkpoint
  const isOver = (failure: unknown) => failure instanceof Interrupted && !run.resumesLater()
  const flight = createBatchesInFlight(isOver)
  /** A cancelled import counts what was written, even if its rejected rows cannot be listed. */
  const withoutLines = (failure: unknown): string[] => {
    if (isOver(failure)) return []
    throw failure
  }
  const writer = createRowWriter(run, {
    ...{ ...settings, scope, expectNew: empty, reading: checkpoint.reading },
  })
  const manufacturers = settings.normalizeManufacturerName
    ? await retryUntilCancelled(isCancelled, () => createManufacturers(ctx, scope))
    : undefined
  /** Batches in flight may need places to finish, so it waits for them without its own. */
  let places: LongBatchPlaces | undefined
  const resolver = createResolver({
    ctx,
    scope,
    spell: manufacturers?.spell,
    empty,
    naming,
    isCancelled,
    drained: () => places!.outside(() => flight.allWritten()),
    pause: () => places!.pause(),
  })
  const vendor = listed && settings.vendor!
  const resumed = checkpoint.columnValues ? { columnValues: checkpoint.columnValues } : {}
  try {
    for await (const batch of file.rows({ skip, ...resumed })) {
      const { before, position, columnValues } = batch
      const rows = manufacturers?.normalised(batch.rows) ?? batch.rows
      report.seen(batch)
      if (isCancelled()) break
      if (rows.length === 0) continue
      await check()
      await flight.waitForRoom()
      places = await enterForLongBatch(ctx, rootOf(ctx.organization))
      const { pause, outside, leave } = places
      try {
        const prepared = await prepare({ rows, resolver, vendor, before }, writer)
        const { writing, groups, unread, offered, belowZero } = prepared
        const ids = groups.map(({ id }) => id)
        if (flight.isWriting(ids)) await outside(() => flight.waitForProducts(ids))
        const upTo = {
          rows: before + rows.length,
          ...{ position, naming: resolver.naming, columnValues },
        }
        flight.start(ids, writing.write(groups, pause).finally(leave), async (outcomes) => {
          const tally = tallyOf(outcomes, unread)
          const lines = file.rejectedLines(tally.rejected, upTo.rows)
          await rejects.add(await lines.catch(withoutLines))
          await listed?.add(offered)
          report.commit({ ...tally, ...upTo, unknown: unread.length, belowZero: belowZero() })
        })
      } catch (error) {
        leave()
        throw error
      }
    }
    await flight.allCommitted()
  } finally {
    await flight.allCommitted().catch(() => undefined)
    await writer.settled()
  }
}

/** Reads a batch and meanwhile drafts products that need no lookup. */
async function prepare(options: GroupRowsOptions, writer: RowWriter) {
  const writing = writer.begin()
  const gathered = await groupRowsDirectly(options, writing.ahead)
  if (gathered) return { writing, ...gathered }
  writing.drop()
  return { writing: writer.begin(), ...(await groupRows(options)) }
}
