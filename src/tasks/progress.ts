import type { Progress, Task } from './task.ts'

const ALMOST = 99.9

/** The percentage of an unfinished task, with one decimal, never less than `before`. */
export const percentOf = (done: number, total: number, before: number): number =>
  Math.max(before, Math.min(ALMOST, Math.floor((1000 * done) / Math.max(1, total)) / 10))

/**
 * Whether a task has progressed since it was claimed. A crash after that does not count as an
 * attempt without progress.
 */
export function hasProgressed(
  taken: Pick<Task, 'checkpoint' | 'counts' | 'percentCompleted'>,
  { checkpoint, counts, percentCompleted }: Progress,
): boolean {
  if (counts && counts.processed > taken.counts.processed) return true
  if (percentCompleted !== undefined && percentCompleted > taken.percentCompleted) return true
  if (checkpoint === undefined) return false
  return JSON.stringify(checkpoint) !== JSON.stringify(taken.checkpoint)
}
