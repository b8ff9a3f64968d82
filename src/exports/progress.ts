import { noRowCounts, type TaskRunContext } from '../tasks/task.ts'
import type { ExportCheckpoint } from './job.ts'

const ALMOST = 99.9

/** How far an export is, and what its task tells of it. */
export interface ExportProgress {
  readonly now: ExportCheckpoint
  /** What was exported for good: an interrupted export goes on here. */
  commit(next: ExportCheckpoint): void
  /** What is under way: shown only. */
  advance(next: ExportCheckpoint): void
}

/** A percentage that never falls, also after an interruption. */
export function createExportProgress(run: TaskRunContext, begun: ExportCheckpoint): ExportProgress {
  let now = begun
  let percentCompleted = run.task.percentCompleted
  const percentOf = ({ exported, total }: ExportCheckpoint): number => {
    const percent = Math.floor((1000 * exported) / Math.max(1, total)) / 10
    percentCompleted = Math.max(percentCompleted, Math.min(ALMOST, percent))
    return percentCompleted
  }
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
    advance(next) {
      run.progress({ percentCompleted: percentOf(next) })
    },
  }
}
