import { percentOf } from '../tasks/progress.ts'
import { noRowCounts, type TaskRunContext } from '../tasks/task.ts'
import type { ExportCheckpoint } from './job.ts'

export type ExportProgress = ReturnType<typeof createExportProgress>

/** The progress of an export. Its percentage never falls, also after an interruption. */
export function createExportProgress(run: TaskRunContext, begun: ExportCheckpoint) {
  let now = begun
  let percentCompleted = run.task.percentCompleted
  const percentAt = ({ exported, total }: ExportCheckpoint): number => {
    percentCompleted = percentOf(exported, total, percentCompleted)
    return percentCompleted
  }
  /** Stores the checkpoint where an interrupted export resumes. */
  const commit = (next: ExportCheckpoint) => {
    now = next
    const counts = { ...noRowCounts, processed: next.exported }
    run.progress({ checkpoint: next, counts, percentCompleted: percentAt(next) })
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
      run.progress({ percentCompleted: percentAt(next) })
    },
  }
}
