import { Failure, NotFound } from '../errors.ts'
import { logRun } from '../extensions/log.ts'
import { withEagerCollection } from '../platform/eager-collection.ts'
import { Interrupted, retryUntilCancelled } from '../tasks/backoff.ts'
import type { Outcome, TaskRun, TaskRunContext } from '../tasks/task.ts'
import { callPages } from './call-pages.ts'
import { type ExportCheckpoint, type ExportJob, initialExportCheckpoint, writerOf } from './job.ts'
import { namesFor } from './product-names.ts'
import { createExportProgress, type ExportProgress } from './progress.ts'
import { beginExport } from './selected-products.ts'
import { sendPages } from './send-pages.ts'
import { removeParts, writeFile } from './write-file.ts'

/** Runs the task of an export, from the beginning or where an earlier run ended. */
export const runExport: TaskRun = (run) => withEagerCollection(() => perform(run))

async function perform(run: TaskRunContext): Promise<Outcome> {
  const job = run.task.input as ExportJob
  let track: ExportProgress | undefined
  try {
    const begun = await retryUntilCancelled(run.isCancelled, () => beginning(run, job))
    track = createExportProgress(run, begun)
    const made = await carryOut(run, job, track)
    return await ended(run, track, { status: 'completed', ...made })
  } catch (error) {
    if (error instanceof Interrupted && run.resumesLater()) return { status: 'stopped' }
    const end = endOf(error)
    if (!end) throw error
    // A run that lost its task leaves the parts to the run that resumes it.
    run.assertLease()
    if (track) await removeParts(run, track)
    return ended(run, track, end)
  }
}

function endOf(error: unknown): End | undefined {
  if (error instanceof Interrupted) return { status: 'cancelled', message: 'Cancelled.' }
  if (error instanceof NotFound) {
    return { status: 'cancelled', message: 'The catalog was deleted.' }
  }
  if (!(error instanceof Failure) || error.code === 'unavailable') return undefined
  return { status: 'failed', message: error.message }
}

/** The checkpoint where this run begins. */
async function beginning({ ctx, task }: TaskRunContext, job: ExportJob): Promise<ExportCheckpoint> {
  if (task.checkpoint) return task.checkpoint as ExportCheckpoint
  const { total, mode } = await beginExport(ctx, job.selection)
  return initialExportCheckpoint({ total, mode, headings: await headingsFor({ ctx }, job) })
}

/** The headings of a file: the requested ones, or those of the products. */
export async function headingsFor(
  { ctx }: Pick<TaskRunContext, 'ctx'>,
  { to, selection }: Pick<ExportJob, 'to' | 'selection'>,
): Promise<readonly string[]> {
  if (!('file' in to)) return []
  const { writer, settings } = writerOf(to)
  return writer.headings(settings, () => namesFor(ctx, selection))
}

async function carryOut(
  run: TaskRunContext,
  job: ExportJob,
  track: ExportProgress,
): Promise<Pick<End, 'message' | 'file'>> {
  const { to } = job
  if ('file' in to) {
    const url = await writeFile(run, to, { job, track })
    const message = `${productsText(track.now.exported)} exported to ${url}.`
    return { message, file: to.file.id }
  }
  if ('pages' in to) await sendPages(run, to.pages, { job, track })
  else await callPages(run, to.remote, { job, track })
  const { exported, pages, linked } = track.now
  const sent = `${pages} ${pages === 1 ? 'page' : 'pages'}`
  return { message: `${productsText(exported)} sent in ${sent}, ${linked} linked.` }
}

export const productsText = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'product' : 'products'}`

interface End {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly message: string
  /** Id of the file that was made. */
  readonly file?: string
}

/** Logs the end of a run, once even if the end of the task is stored later. */
async function ended(
  { ctx, task }: TaskRunContext,
  track: ExportProgress | undefined,
  end: End,
): Promise<Outcome> {
  const { status, message } = end
  const job = task.input as ExportJob
  await logRun(ctx, {
    id: task.id,
    extensionId: job.installed.id,
    extensionNickname: job.installed.name,
    action: 'run',
    message,
    errorMessage: status === 'completed' ? null : message,
    began: new Date(task.createDate),
    counts: { productCount: track?.now.exported ?? 0 },
  })
  return end
}
