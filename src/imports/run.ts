import { type CatalogScope, openCatalog, writableCatalog } from '../catalogs/store.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { Failure, NotFound } from '../errors.ts'
import { storedFile } from '../formats/bytes/stored-bytes.ts'
import type { OpenFile } from '../formats/format.ts'
import { formatOf } from '../formats/registry.ts'
import { limits } from '../limits.ts'
import { withEagerCollection } from '../platform/eager-collection.ts'
import { productsOf } from '../products/product-documents.ts'
import { Interrupted, retryUntilCancelled } from '../tasks/backoff.ts'
import type { Outcome, TaskRun, TaskRunContext } from '../tasks/task.ts'
import { createBatchesInFlight } from './batches-in-flight.ts'
import { type ImportCheckpoint, initialImportCheckpoint } from './checkpoint.ts'
import { fetchFile } from './download.ts'
import { finishFullFile } from './full-file/finish.ts'
import {
  createListedProducts,
  type ListedProducts,
  noListedProducts,
} from './full-file/listed-products.ts'
import { createManufacturers } from './manufacturers.ts'
import { openFile } from './open-file.ts'
import { runPipeline } from './pipeline.ts'
import { createRejects } from './rejects.ts'
import type { KeptFile } from './remote-file.ts'
import { createImportReport, type ImportReport } from './report.ts'
import type { ImportInput, ImportSettings } from './settings.ts'
import { createResolver } from './writing/resolver.ts'
import { markingOf } from './writing/run-marking.ts'
import { createBatchWriter } from './writing/writer.ts'

const COUNT_MS = 30_000
/** As whom all imports together take places of requests. */
const IMPORTS = 'imports'

/** Runs an import task, from its beginning or from where an earlier run ended. */
export const runImport: TaskRun = async (run) => {
  const report = createImportReport(run)
  try {
    return await withEagerCollection(() => readAndWrite(run, report))
  } catch (error) {
    if (error instanceof Interrupted) return report.giveWay()
    if (error instanceof CatalogGone) return report.giveWay('The catalog was deleted.')
    if (!(error instanceof Failure) || error.code === 'unavailable') throw error
    return report.end('failed', error.message)
  }
}

/** The catalog that is imported into is there no more. */
class CatalogGone extends Error {}

async function readAndWrite(run: TaskRunContext, report: ImportReport): Promise<Outcome> {
  const input = run.task.input as ImportInput
  const scope = await inCatalog(run, () => writableCatalog(run.ctx, input.catalog))
  const settings = { ...input, file: await fetchFile(run, input.file) }
  const check = () => stillThere(run, settings)
  const begun = run.task.checkpoint as ImportCheckpoint | null
  if (begun?.read) {
    return finishFullFile(run, { scope, check, counts: run.task.counts, checkpoint: begun })
  }
  run.progress({ message: 'Looking through the file.' })
  const { isCancelled, ctx } = run
  const file = await openFile(storedFile(ctx.files, settings.file), settings, {
    now: ctx.clock.now(),
    isCancelled,
  })
  try {
    return await writeRows(run, { report, settings, scope, file })
  } finally {
    await file.close()
  }
}

interface OpenedImport {
  readonly report: ImportReport
  readonly settings: ImportSettings
  readonly scope: CatalogScope
  readonly file: OpenFile
}

async function writeRows(
  run: TaskRunContext,
  { report, settings, scope, file }: OpenedImport,
): Promise<Outcome> {
  const checkpoint = await checkpointOf(run, { scope, file: settings.file })
  const rejects = createRejects(run, {
    format: formatOf(settings.fileType)!.rejectsAs,
    headings: file.headings,
    state: checkpoint.rejects,
  })
  const listed = settings.fullFile
    ? createListedProducts(run, checkpoint.listed ?? noListedProducts)
    : undefined
  report.begin({ rejects, notes: file.notes, bytes: file.bytes, checkpoint, listed })
  await write(run, { settings, scope, file, checkpoint, rejects, listed, report })
  if (run.isCancelled()) throw new Interrupted()
  // Whoever reads "completed" may search at once.
  await retryUntilCancelled(run.isCancelled, () => refreshIndex(run.ctx.elastic, 'products'))
  if (!settings.fullFile) return report.end('completed')
  const check = () => stillThere(run, settings)
  return finishFullFile(run, { scope, check, ...(await report.allRead()) })
}

async function stillThere(run: TaskRunContext, { catalog }: ImportSettings): Promise<void> {
  await inCatalog(run, () => openCatalog(run.ctx, catalog))
}

/** Where this run begins. The index shows all that was written before. */
async function checkpointOf(
  { ctx, task, isCancelled }: TaskRunContext,
  { scope, file }: { scope: CatalogScope; file: KeptFile },
): Promise<ImportCheckpoint> {
  await retryUntilCancelled(isCancelled, () => refreshIndex(ctx.elastic, 'products'))
  const begun = task.checkpoint as Partial<ImportCheckpoint> | null
  if (begun?.rows !== undefined) return begun as ImportCheckpoint
  const products = await retryUntilCancelled(isCancelled, () =>
    productsOf(ctx, scope).count(undefined, { timeoutMs: COUNT_MS }),
  )
  return { ...initialImportCheckpoint(products === 0), file }
}

interface WriteParts {
  readonly settings: ImportSettings
  readonly scope: CatalogScope
  readonly file: OpenFile
  readonly checkpoint: ImportCheckpoint
  readonly rejects: ReturnType<typeof createRejects>
  readonly listed: ListedProducts | undefined
  readonly report: ImportReport
}

async function write(run: TaskRunContext, parts: WriteParts): Promise<void> {
  const { ctx, isCancelled } = run
  const { settings, scope, file, checkpoint, rejects, listed, report } = parts
  const { empty, naming } = checkpoint
  const flight = createBatchesInFlight(
    (failure) => failure instanceof Interrupted && !run.goesOnLater(),
  )
  const writer = createBatchWriter({
    ...settings,
    ctx,
    scope,
    isCancelled,
    expectNew: empty,
    hold: run.hold,
    marking: markingOf(run),
  })
  const drained = () => flight.allWritten()
  const manufacturers = settings.normalizeManufacturerName
    ? await retryUntilCancelled(isCancelled, () => createManufacturers(ctx, scope))
    : undefined
  const resolver = createResolver({
    ctx,
    scope,
    ...(manufacturers ? { spell: manufacturers.spell } : {}),
    empty,
    naming,
    isCancelled,
    drained,
  })
  try {
    await runPipeline({
      rows: manufacturers ? manufacturers.normalised(file) : file,
      flight,
      writer,
      resolver,
      rejects,
      skip: checkpoint.rows,
      isCancelled,
      turn: () => ctx.requests.enter(IMPORTS, { cost: limits.batchPlaces, givesWay: true }),
      full: listed && { vendor: settings.vendor!, listed },
      check: () => stillThere(run, settings),
      commit: report.commit,
    })
  } finally {
    await flight.allCommitted().catch(() => undefined)
    await writer.settled()
  }
}

async function inCatalog<T>(run: TaskRunContext, work: () => Promise<T>): Promise<T> {
  try {
    return await retryUntilCancelled(run.isCancelled, work)
  } catch (error) {
    throw error instanceof NotFound ? new CatalogGone() : error
  }
}
