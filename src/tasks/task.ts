import type { Context } from '../operation.ts'
import type { TaskShape } from './schemas.ts'
import type { WithSlot } from './slots.ts'

export type TaskStatus = TaskShape['status']

/**
 * Rows of an import by outcome; `processed` is the sum of the next four. `deleted` also counts
 * products that a full file deleted; `hidden` and `removed` count no rows.
 */
export type RowCounts = Readonly<
  Pick<TaskShape, 'processed' | 'created' | 'updated' | 'unchanged' | 'rejected'> &
    Partial<Pick<TaskShape, 'deleted' | 'hidden' | 'removed'>>
>

export const noRowCounts: RowCounts = {
  processed: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
}

/** The holder of a task. It may write only while `fence`, which each claim raises, is its own. */
export interface TaskLease {
  readonly holder: string
  readonly fence: number
  /** Increased by each heartbeat of the holder. */
  readonly beat: number
  /** Milliseconds without a heartbeat after which another instance may claim the task. */
  readonly ms: number
  /** Released: the task may be claimed at once. */
  readonly free: boolean
  /** Consecutive claims, with this one, whose holder fell silent before the task progressed. */
  readonly attempts: number
}

/** A background task as stored. */
export interface Task {
  readonly id: string
  readonly kind: string
  readonly status: TaskStatus
  /** The FileStore of its files; only instances that share it run the task. */
  readonly store: string
  /** What it changes, as `organization/catalog`. Tasks with the same target run one at a time. */
  readonly target: string | null
  readonly lease: TaskLease | null
  /** Where to resume after an interruption; its shape depends on the kind. Null once it has ended. */
  readonly checkpoint: unknown
  readonly counts: RowCounts
  /** The columns of an imported table, once the import has ended. */
  readonly columns?: readonly Readonly<NonNullable<TaskShape['columns']>[number]>[]
  /** Things the user should look at although the task succeeded. */
  readonly warnings?: readonly string[]
  readonly percentCompleted: number
  readonly message: string
  readonly createDate: string
  readonly finished: string | null
  readonly source: string
  readonly sourceType: string
  readonly reviewed: boolean
  readonly dismissed: boolean
  readonly cancelRequested: boolean
  /** A user confirmed the question of a waiting task. */
  readonly confirmed?: boolean
  /** Id of the file of rejected rows. */
  readonly rejectsFile: string | null
  /** Id of the file the task made. */
  readonly file?: string
  readonly username: string
  readonly keyId: string
  /** The caller it runs for, with the permissions it was queued with. Holds no secret. */
  readonly origin: Pick<Context, 'caller' | 'organization'>
  /** `traceparent` of the request that queued it; absent without traces, and of schedules. */
  readonly trace?: string
  /** Null once it has ended. */
  readonly input: unknown
  /** The callback address, sealed; null once the delivery has taken it over. */
  readonly callbackUrl: string | null
  /**
   * True from the start until the callback is created: the write that ends the task makes it due.
   */
  readonly callbackDue: boolean
}

export const FINISHED: readonly TaskStatus[] = ['completed', 'failed', 'cancelled']

export const isFinished = ({ status }: Pick<Task, 'status'>): boolean => FINISHED.includes(status)

/** What changes when a task ends. Tasks are kept for months, and what they work with may be large. */
export const finishedAs = (status: TaskStatus, now: Date) => ({
  status,
  finished: now.toISOString(),
  input: null,
  checkpoint: null,
})

/** Progress reported by a run; absent fields stay. */
export type Progress = Partial<
  Pick<
    Task,
    | 'checkpoint'
    | 'counts'
    | 'percentCompleted'
    | 'message'
    | 'rejectsFile'
    | 'file'
    | 'columns'
    | 'warnings'
  >
>

/**
 * How a run ended. `stopped`: it stopped because isCancelled() returned true. `waiting`: it asks a
 * question and resumes at its checkpoint when the task is confirmed.
 */
export interface Outcome extends Progress {
  readonly status: 'completed' | 'failed' | 'cancelled' | 'stopped' | 'waiting'
}

/** The lease of the task was lost, or may have been. */
export class LeaseLost extends Error {}

/** The context of a task's run. */
export interface TaskRunContext {
  readonly task: Task
  /** The context of the request that queued it. `signal` aborts when the lease is lost. */
  readonly ctx: Context
  /** Stored within a second; the last report before a stop is always stored. */
  progress(update: Progress): void
  /** Resolves when all progress so far is stored. Throws Unavailable. */
  stored(): Promise<void>
  /** The task was cancelled or the service stops: finish what is in flight and return. */
  isCancelled(): boolean
  /** Whether a cancelled run resumes later at its checkpoint, since the service stops. */
  resumesLater(): boolean
  /** Called right before each write: throws LeaseLost when the lease may have lapsed. */
  assertLease(): void
  /**
   * Waits for another system. Before long other tasks get this one's slot; parts of `work` that
   * load this instance take one again by `withSlot`.
   */
  withoutSlot<T>(work: (withSlot: WithSlot) => Promise<T>): Promise<T>
  /** The last stored checkpoint; the next run resumes there or later. */
  storedCheckpoint(): unknown
}

/** Runs one kind of task; called again for the same task, it resumes at `task.checkpoint`. */
export type TaskRun = (run: TaskRunContext) => Promise<Outcome>
