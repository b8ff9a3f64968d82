import type { Progress, Task } from './task.ts'

/** Whether a task has progressed since it was claimed: a later crash of it does not count. */
export function hasProgressed(
  taken: Pick<Task, 'checkpoint' | 'counts' | 'percentCompleted'>,
  { checkpoint, counts, percentCompleted }: Progress,
): boolean {
  if (counts && counts.processed > taken.counts.processed) return true
  if (percentCompleted !== undefined && percentCompleted > taken.percentCompleted) return true
  if (checkpoint === undefined) return false
  return JSON.stringify(checkpoint) !== JSON.stringify(taken.checkpoint)
}
