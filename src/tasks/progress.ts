import type { Progress, Task } from './task.ts'

/** Whether a task is further than when it was taken: what runs it is then no dead end. */
export function gotOn(
  taken: Pick<Task, 'checkpoint' | 'counts' | 'percentCompleted'>,
  { checkpoint, counts, percentCompleted }: Progress,
): boolean {
  if (counts && counts.processed > taken.counts.processed) return true
  if (percentCompleted !== undefined && percentCompleted > taken.percentCompleted) return true
  if (checkpoint === undefined) return false
  return JSON.stringify(checkpoint) !== JSON.stringify(taken.checkpoint)
}
