import type { Counts, Outcome, TaskRunContext } from '../tasks/task.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Committed } from './pipeline.ts'
import type { Rejects } from './rejects.ts'
import { sum, summaryOf } from './tally.ts'
import { patiently } from './writing/patience.ts'

/** What the task tells its user, while the import goes on and in the end. */
export interface Report {
  /** What is known once the file is open. */
  begin(parts: ReportParts): void
  commit(done: Committed): void
  end(status: 'completed' | 'failed', message?: string): Promise<Outcome>
  /** The import was told to give way, or its catalog is gone. */
  giveWay(message?: string): Promise<Outcome>
}

export interface ReportParts {
  readonly rejects: Rejects
  readonly notes: readonly string[]
  /** Unpacked bytes of the file. */
  readonly bytes: number
  readonly checkpoint: Checkpoint
}

const ALMOST = 99.9

export function createReport(run: TaskRunContext): Report {
  let parts: ReportParts | undefined
  let counts: Counts = run.task.counts

  const messageOf = (texts: readonly (string | undefined)[]): string =>
    [...texts, summaryOf(counts), ...(parts?.notes ?? [])].filter(Boolean).join(' ')

  async function giveWay(message = 'Cancelled.'): Promise<Outcome> {
    // A list that cannot be kept now does not keep the task from ending.
    const rejectsFile = (await parts?.rejects.finish().catch(() => null)) ?? null
    return { status: 'cancelled', message: messageOf([message]), rejectsFile, checkpoint: null }
  }

  return {
    begin(given) {
      parts = given
      run.progress({ checkpoint: given.checkpoint, message: 'Importing.' })
    },
    commit({ counts: more, rows, position, naming }) {
      const { rejects, bytes, checkpoint } = parts!
      counts = sum(counts, more)
      const percent = Math.floor((1000 * position) / Math.max(1, bytes)) / 10
      run.progress({
        counts,
        percentCompleted: Math.max(run.task.percentCompleted, Math.min(ALMOST, percent)),
        checkpoint: { ...checkpoint, rows, naming, rejects: rejects.state() },
      })
    },
    async end(status, message) {
      const finished = parts && (await patiently(run.isCancelled, () => parts!.rejects.finish()))
      return {
        status,
        message: messageOf([message]),
        rejectsFile: finished ?? null,
        checkpoint: null,
      }
    },
    giveWay: async (message) =>
      message === undefined && run.goesOnLater() ? { status: 'stopped' } : giveWay(message),
  }
}
