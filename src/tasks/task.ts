import type { Context } from '../operation.ts'

export const TASK_STATUSES = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

/** Rows of an import by what became of them; `processed` is their sum. */
export interface Counts {
  readonly processed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  /** Offers that a full file removed; no rows. */
  readonly removed?: number
}

export const noCounts: Counts = { processed: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 }

/** Who runs a task. Each taking raises `fence`; the holder writes only while the fence is its own. */
export interface Lease {
  readonly holder: string
  readonly fence: number
  /** Raised by each word of the holder. */
  readonly beat: number
  /** Milliseconds without a word after which anybody may take the task. */
  readonly ms: number
  /** Nobody runs it any more: it may be taken at once. */
  readonly free: boolean
  /** Takings in a row whose holder fell silent before the task got on, this one included. */
  readonly attempts: number
}

/** For whom a task runs: what its queuing request was allowed. Holds no secret. */
type TaskOrigin = Pick<Context, 'caller' | 'organization'>

/** A background task as it is stored. */
export interface Task {
  readonly id: string
  readonly kind: string
  readonly status: TaskStatus
  /** The FileStore that holds its files: only instances with that one run it. */
  readonly store: string
  /** What it changes, as `organization/catalog`: tasks of one target run one after the other. */
  readonly target: string | null
  readonly lease: Lease | null
  /** Where to go on after an interruption; only the kind knows its shape. */
  readonly checkpoint: unknown
  readonly counts: Counts
  readonly percentCompleted: number
  readonly message: string
  readonly createDate: string
  readonly finished: string | null
  readonly source: string
  readonly sourceType: string
  readonly reviewed: boolean
  readonly dismissed: boolean
  readonly cancelRequested: boolean
  /** Somebody agreed to what a waiting task asked. */
  readonly confirmed?: boolean
  /** Id of the file that lists what was rejected. */
  readonly rejectsFile: string | null
  readonly username: string
  readonly keyId: string
  readonly origin: TaskOrigin
  readonly input: unknown
  /** Who is told when it ends, sealed; null once the delivery has it. */
  readonly callbackUrl: string | null
  /** True until that callback is made: the write that ends the task makes it due. */
  readonly callbackDue: boolean
}

export const FINISHED: readonly TaskStatus[] = ['completed', 'failed', 'cancelled']

export const isFinished = ({ status }: Pick<Task, 'status'>): boolean => FINISHED.includes(status)

/** What a run reports while it goes on; what it leaves out stays. */
export interface Progress {
  readonly checkpoint?: unknown
  readonly counts?: Counts
  readonly percentCompleted?: number
  readonly message?: string
  readonly rejectsFile?: string | null
}

/**
 * How a run ended. `stopped`: it gave way because isCancelled() said so. `waiting`: it asks, and
 * goes on from its checkpoint when the task is confirmed.
 */
export interface Outcome extends Progress {
  readonly status: 'completed' | 'failed' | 'cancelled' | 'stopped' | 'waiting'
}

/** The task is somebody else's now, or may be. */
export class LeaseLost extends Error {}

/** What a run of a task is given. */
export interface TaskRunContext {
  readonly task: Task
  /** As the request that queued it had; `signal` aborts when the task is no longer ours. */
  readonly ctx: Context
  /** Kept and written within a second; the last one before a stop is written for certain. */
  progress(update: Progress): void
  /** Resolves when all progress so far is stored: no later run knows less. Throws Unavailable. */
  stored(): Promise<void>
  /** The task was cancelled or the service stops: finish what is in flight and return. */
  isCancelled(): boolean
  /** Of a cancelled run: the service stops, and the task goes on later from its checkpoint. */
  goesOnLater(): boolean
  /** Asked right before each write: throws LeaseLost when the task may no longer be ours. */
  hold(): void
  /** The last checkpoint that is stored: the next run begins there or later. */
  kept(): unknown
}

/** Does one kind of task. May be called again for the same task: it goes on from `task.checkpoint`. */
export type TaskRun = (run: TaskRunContext) => Promise<Outcome>
