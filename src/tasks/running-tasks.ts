import type { Elastic } from '../elastic/client.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import type { Task } from './task.ts'

/** A task that this instance runs. */
export interface RunningTask {
  readonly id: string
  readonly organization: string
  readonly target: string | null
  /** As this instance last stored it; undefined once another instance may run it. */
  latest(): Task | undefined
  /** Writes progress and checks for a cancellation now. */
  beat(): void
}

/** The tasks that run on this instance. */
export const runningTasksOf = memoizeWeak<Elastic, Set<RunningTask>>(() => new Set())
