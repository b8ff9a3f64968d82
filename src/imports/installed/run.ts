import { Failure, NotFound, Unavailable } from '../../errors.ts'
import { logRun } from '../../extensions/log.ts'
import { Interrupted } from '../../tasks/backoff.ts'
import {
  LeaseLost,
  type Outcome,
  type RowCounts,
  type TaskRun,
  type TaskRunContext,
} from '../../tasks/task.ts'
import type { ImportCheckpoint } from '../checkpoint.ts'
import { runImport } from '../run.ts'
import type { ImportInput } from '../settings.ts'
import { askSource } from './ask-source.ts'
import type { InstalledImport } from './start.ts'

/** Runs the import of an installed extension and logs how it ended, once. */
export const runInstalled: TaskRun = async (run) => {
  let counts = run.task.counts
  const noting: TaskRunContext = {
    ...run,
    progress(update) {
      counts = update.counts ?? counts
      run.progress(update)
    },
  }
  try {
    const outcome = await importInstalled(noting)
    await logEnd(run, outcome, counts)
    return outcome
  } catch (error) {
    const goesOn =
      run.ctx.signal.aborted || error instanceof Unavailable || error instanceof LeaseLost
    if (!goesOn) {
      const message = error instanceof Failure ? error.message : 'An internal error occurred.'
      await logEnd(run, { status: 'failed', message }, counts)
    }
    throw error
  }
}

async function importInstalled(run: TaskRunContext): Promise<Outcome> {
  const input = run.task.input as InstalledImport
  // In tasks of earlier versions the import's own checkpoint is `inner`.
  const { inner, ...begun } = (run.task.checkpoint ?? {}) as Partial<ImportCheckpoint> & {
    readonly inner?: ImportCheckpoint | null
  }
  const settings = begun.settings ?? input.settings ?? (await askedSettings(run, input))
  if ('status' in settings) return settings
  const checkpoint = { ...begun, ...inner, settings }
  if (!run.task.checkpoint) run.progress({ checkpoint })
  return runImport({ ...run, task: { ...run.task, input: settings, checkpoint } })
}

/** The settings of the import, or the outcome of the task if there are none. */
async function askedSettings(
  run: TaskRunContext,
  input: InstalledImport,
): Promise<ImportInput | Outcome> {
  try {
    return await askSource(run, input)
  } catch (error) {
    if (error instanceof Interrupted) {
      return run.resumesLater()
        ? { status: 'stopped' }
        : { status: 'cancelled', message: 'Cancelled.' }
    }
    if (!(error instanceof NotFound)) throw error
    return { status: 'failed', message: `${input.nickname}: ${error.message}` }
  }
}

async function logEnd(
  { ctx, task }: TaskRunContext,
  { status, message = '', counts: last }: Outcome,
  counted: RowCounts,
): Promise<void> {
  if (status === 'stopped' || status === 'waiting') return
  const { processed, created, updated, unchanged, rejected } = last ?? counted
  const { installation, nickname } = task.input as InstalledImport
  await logRun(ctx, {
    id: task.id,
    extensionId: installation,
    extensionNickname: nickname,
    action: 'run',
    message,
    errorMessage: status === 'completed' ? null : message,
    began: new Date(task.createDate),
    counts: {
      productCount: processed,
      productsCreated: created,
      productsUpdated: updated,
      productsSkipped: unchanged + rejected,
    },
  })
}
