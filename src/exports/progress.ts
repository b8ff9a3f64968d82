import { noCounts, type TaskRunContext } from '../tasks/task.ts'
import type { Checkpoint } from './job.ts'

const ALMOST = 99.9

/** How far an export is, and what its task tells of it. */
export interface Track {
  readonly now: Checkpoint
  /** What was exported for good: an interrupted export goes on here. */
  commit(next: Checkpoint): void
  /** What is under way: shown only. */
  advance(next: Checkpoint): void
}

/** A percentage that never falls, also after an interruption. */
export function createTrack(run: TaskRunContext, begun: Checkpoint): Track {
  let now = begun
  let percentCompleted = run.task.percentCompleted
  const percentOf = ({ exported, total }: Checkpoint): number => {
    const percent = Math.floor((1000 * exported) / Math.max(1, total)) / 10
    percentCompleted = Math.max(percentCompleted, Math.min(ALMOST, percent))
    return percentCompleted
  }
  const commit = (next: Checkpoint) => {
    now = next
    const counts = { ...noCounts, processed: next.exported }
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
