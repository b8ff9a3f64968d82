import { noRowCounts, type TaskRunContext } from '../tasks/task.ts'
import type { ExportCheckpoint } from './job.ts'

const ALMOST = 99.9

export type ExportProgress = ReturnType<typeof createExportProgress>

/** The progress of an export. Its percentage never falls, also after an interruption. */
export function createExportProgress(run: TaskRunContext, begun: ExportCheckpoint) {
  let now = begun
  let percentCompleted = run.task.percentCompleted
  const percentOf = ({ exported, total }: ExportCheckpoint): number => {
    const percent = Math.floor((1000 * exported) / Math.max(1, total)) / 10
    percentCompleted = Math.max(percentCompleted, Math.min(ALMOST, percent))
    return percentCompleted
  }
  /** Stores the checkpoint where an interrupted export resumes. */
  const commit = (next: ExportCheckpoint) => {
    now = next
    const counts = { ...noRowCounts, processed: next.exported }
    run.progress({ checkpoint: next, counts, percentCompleted: percentOf(next) })
  }
  commit(begun)
  run.progress({ message: 'Exporting.' })
  return {
    get now() {
      return now
    },
    commit,
    /** Reports progress without a checkpoint. */
    advance(next: ExportCheckpoint) {
      run.progress({ percentCompleted: percentOf(next) })
    },
  }
}
