import { Failure, NotFound } from '../errors.ts'
import { logRun } from '../extensions/log.ts'
import { frugally } from '../platform/frugal.ts'
import { Interrupted, patiently } from '../tasks/patience.ts'
import type { Outcome, TaskRun, TaskRunContext } from '../tasks/task.ts'
import { callPages } from './call-pages.ts'
import { beginningOf, type Checkpoint, type ExportJob, writerOf } from './job.ts'
import { createTrack, type Track } from './progress.ts'
import { sendPages } from './send-pages.ts'
import { begin, namesFor } from './source.ts'
import { removeParts, writeFile } from './write-file.ts'

/** Runs an export's task, from its beginning or from where an earlier run ended. */
export const runExport: TaskRun = (run) => frugally(() => perform(run))

async function perform(run: TaskRunContext): Promise<Outcome> {
  const job = run.task.input as ExportJob
  let track: Track | undefined
  try {
    const begun = await patiently(run.isCancelled, () => beginning(run, job))
    track = createTrack(run, begun)
    const message = await carryOut(run, job, track)
    return await ended(run, { job, track, status: 'completed', message })
  } catch (error) {
    if (error instanceof Interrupted && run.goesOnLater()) return { status: 'stopped' }
    const end = endOf(error)
    if (!end) throw error
    // Whoever lost the task leaves what another one goes on with.
    run.hold()
    if (track) await removeParts(run, track)
    return ended(run, { job, track, ...end })
  }
}

function endOf(error: unknown): Pick<End, 'status' | 'message'> | undefined {
  if (error instanceof Interrupted) return { status: 'cancelled', message: 'Cancelled.' }
  if (error instanceof NotFound) {
    return { status: 'cancelled', message: 'The catalog was deleted.' }
  }
  if (!(error instanceof Failure) || error.code === 'unavailable') return undefined
  return { status: 'failed', message: error.message }
}

/** Where this run begins. */
async function beginning({ ctx, task }: TaskRunContext, job: ExportJob): Promise<Checkpoint> {
  if (task.checkpoint) return task.checkpoint as Checkpoint
  const { total, mode } = await begin(ctx, job.selection)
  return beginningOf({ total, mode, headings: await headingsFor({ ctx }, job) })
}

/** The headings of a file: those that were asked for, else what the products have. */
export async function headingsFor(
  { ctx }: Pick<TaskRunContext, 'ctx'>,
  { to, selection }: Pick<ExportJob, 'to' | 'selection'>,
): Promise<readonly string[]> {
  if (!('file' in to)) return []
  const { writer, settings } = writerOf(to)
  return writer.headings(settings, () => namesFor(ctx, selection))
}

async function carryOut(run: TaskRunContext, job: ExportJob, track: Track): Promise<string> {
  const { to } = job
  if ('file' in to) {
    const url = await writeFile(run, { job, to, track })
    return `${productsText(track.now.exported)} exported to ${url}.`
  }
  if ('pages' in to) await sendPages(run, { job, to: to.pages, track })
  else await callPages(run, { job, to: to.remote, track })
  const { exported, pages, linked } = track.now
  return `${productsText(exported)} sent in ${pages} ${pages === 1 ? 'page' : 'pages'}, ${linked} linked.`
}

export const productsText = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'product' : 'products'}`

interface End {
  readonly job: ExportJob
  readonly track: Track | undefined
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly message: string
}

/** Logged once, also when the end of the task is written later than now. */
async function ended(run: TaskRunContext, { job, track, status, message }: End): Promise<Outcome> {
  const { ctx, task } = run
  const began = new Date(task.createDate)
  await logRun(ctx, {
    id: task.id,
    extensionId: job.installed.id,
    extensionNickname: job.installed.name,
    action: 'run',
    message,
    errorMessage: status === 'completed' ? null : message,
    began,
    timeTaken: ctx.clock.now().getTime() - began.getTime(),
    counts: { productCount: track?.now.exported ?? 0 },
  })
  return { status, message, checkpoint: null }
}
