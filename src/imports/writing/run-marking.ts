import type { TaskRunContext } from '../../tasks/task.ts'
import type { ImportCheckpoint } from '../checkpoint.ts'
import type { Marking } from './import-mark.ts'

/** How a run marks what it writes, as far as its checkpoints are stored by now. */
export const markingOf =
  ({ task, kept }: TaskRunContext) =>
  (): Marking => ({
    task: task.id,
    fence: task.lease?.fence ?? 0,
    kept: (kept() as ImportCheckpoint | null)?.rows ?? 0,
  })
