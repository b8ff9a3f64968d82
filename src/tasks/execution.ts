import { setTimeout as sleep } from 'node:timers/promises'
import { changeDocument } from '../elastic/change-document.ts'
import { deadlineFailure, Failure, Stale, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { retryWhile } from '../platform/retry.ts'
import { type ClaimedTask, hasTargetAlone } from './claim.ts'
import { createEventLoopWatchdog, stallMessage } from './event-loop-watchdog.ts'
import { hasProgressed } from './progress.ts'
import type { RunningTask } from './running-tasks.ts'
import type { TaskSlot } from './slots.ts'
import { tasksOf } from './store.ts'
import {
  finishedAs,
  isFinished,
  LeaseLost,
  type Outcome,
  type Progress,
  type Task,
  type TaskLease,
  type TaskRun,
} from './task.ts'

export interface ExecutionTiming {
  /** Milliseconds without a heartbeat after which another instance may claim the task. */
  readonly leaseMs: number
  /** Milliseconds between heartbeats: progress, lease renewal, cancellation. */
  readonly beatMs: number
  /** Milliseconds of blocking the event loop after which a task is failed. */
  readonly stallMs?: number
}

/** A run of a task on this instance. */
export interface Execution extends RunningTask {
  /** Resolves when the run has ended and its end is stored. */
  readonly done: Promise<void>
  /** Asks the run to stop; the task is then free to be claimed again. */
  stop(): void
  /** Releases the task without writing anything further. */
  abandon(): void
}

/**
 * How an execution ends: `queued` when it did not begin, since another task with the same target was
 * faster or it was stopped.
 */
type Ending = Outcome | (Progress & { readonly status: 'queued' })

interface ExecutionOptions extends ExecutionTiming {
  readonly services: Services
  readonly run: TaskRun
  readonly taken: ClaimedTask
  readonly slot: Pick<TaskSlot, 'withoutSlot'>
  /** Whether this instance runs no other task. */
  readonly isAlone?: () => boolean
}

/** Milliseconds between the ticks by which a blocked event loop is noticed. */
const TICK_MS = 250

/** Runs a claimed task. Never rejects. */
export function execute({
  services,
  run,
  taken,
  slot,
  leaseMs,
  beatMs,
  stallMs = limits.taskStallMs,
  isAlone = () => true,
}: ExecutionOptions): Execution {
  const task = taken.stored.source
  const { id, origin } = task
  const tasks = tasksOf(services, origin.organization.id)
  const lost = new AbortController()
  let stored = taken.stored
  let heldUntil = taken.since + leaseMs
  const watchdog = createEventLoopWatchdog({ stallMs })
  let blockedMs = 0
  let progress: Progress = {}
  let stopping = false
  let over = false
  let writing: Promise<void> = Promise.resolve()
  const isCancelled = () => stopping || isLost() || stored.source.cancelRequested

  /** Whether the lease is lost, by our own monotonic clock, which a resumed process reads first. */
  function isLost(): boolean {
    if (blockedMs === 0) blockedMs = watchdog.blockedMs()
    if (blockedMs > 0 || performance.now() >= heldUntil) lost.abort()
    return lost.signal.aborted
  }

  function leaseNow(): TaskLease {
    const { beat, attempts } = stored.source.lease!
    const own = { ...task.lease!, beat: beat + 1, free: false }
    return { ...own, attempts: attempts > 0 && hasProgressed(task, progress) ? 0 : attempts }
  }

  async function replace(change: (lease: TaskLease) => Partial<Task>): Promise<void> {
    if (isLost()) throw new LeaseLost()
    const began = performance.now()
    const lease = leaseNow()
    const next = { ...stored.source, ...progress, lease, ...change(lease) }
    const options = { signal: lost.signal, ...(over ? { refresh: true as const } : {}) }
    stored = await tasks.replace(id, next, stored, options)
    heldUntil = began + leaseMs
  }

  /** Reads the task again after a concurrent change. The fence tells whether it is still ours. */
  async function readAgain(): Promise<void> {
    const found = await tasks.get(id, { signal: lost.signal })
    if (found?.source.lease?.fence !== task.lease!.fence) lost.abort()
    else stored = found
  }

  /** Serializes writes. */
  function write(change: (lease: TaskLease) => Partial<Task> = () => ({})): Promise<void> {
    const next = writing.then(() => retryWhile([Stale], () => replace(change), readAgain))
    writing = next.catch(() => undefined)
    return next
  }

  // Heartbeats during a slow write are merged.
  let beating: Promise<void> | undefined
  function beat(): Promise<void> {
    beating ??= renew().finally(() => {
      beating = undefined
    })
    return beating
  }

  async function renew(): Promise<void> {
    if (over) return
    await write().catch((error: unknown) => {
      if (isLost() || error instanceof Unavailable) return
      services.log.warn({ err: error, task: id }, 'progress of a task not stored')
    })
  }

  function end(change: (lease: TaskLease) => Partial<Task>): Promise<void> {
    over = true
    return retryWhile(
      [Unavailable],
      () => write(change),
      () => sleep(beatMs),
    )
  }

  async function perform(): Promise<Ending> {
    if (!(await hasTargetAlone(services, task, lost.signal))) {
      return { status: 'queued', message: 'Waiting for another task to end.' }
    }
    // Beginning may be expensive, and the first claim has nothing yet to report.
    if (isCancelled() && task.lease!.fence === 1) {
      return { status: 'queued', message: 'Waiting to start.' }
    }
    return run({
      task,
      ctx: { ...services, ...origin, requestId: id, signal: lost.signal },
      progress(update) {
        progress = { ...progress, ...update }
      },
      stored: () => write(),
      isCancelled,
      withoutSlot: (work) => slot.withoutSlot(work, isCancelled),
      resumesLater: () => !stored.source.cancelRequested,
      assertLease() {
        if (isLost()) throw new LeaseLost()
      },
      storedCheckpoint: () => stored.source.checkpoint,
    })
  }

  async function work(): Promise<void> {
    const outcome = await perform().catch((error: unknown) => outcomeOf(error))
    if (isLost() && blockedMs > 0) return giveUp()
    // No more heartbeats: the task is claimed again when its lease lapses.
    if (outcome === 'retry') return end((lease) => ({ lease: { ...lease, attempts: 0 } }))
    const { status, ...last } = outcome
    progress = { ...progress, ...last }
    await end((lease) => ending(status, { ...lease, free: true }))
    services.metrics.tasks.inc({ kind: task.kind, status: stored.source.status })
    if (task.callbackDue && isFinished(stored.source)) services.wakeCallbacks()
  }

  /**
   * A task that blocked the event loop is not passed on. When several tasks run, the cause is
   * unknown: their leases lapse, and the task that blocks again fails.
   */
  async function giveUp(): Promise<void> {
    services.log.error({ task: id, ms: blockedMs }, 'a task blocked the event loop')
    const suspected = isAlone() || stored.source.lease!.attempts > 1
    if (!suspected) return
    const failed = (found: Task | undefined): Task | undefined => {
      if (!found || found.lease?.fence !== task.lease!.fence) return undefined
      const message = stallMessage(found.message, blockedMs)
      const lease = { ...found.lease, free: true }
      return { ...found, ...finishedAs('failed', services.clock.now()), message, lease }
    }
    const options = { signal: AbortSignal.timeout(leaseMs), refresh: true } as const
    await changeDocument(tasks, id, failed, options)
  }

  function ending(status: Ending['status'], lease: TaskLease): Partial<Task> {
    const now = services.clock.now()
    if (status === 'completed') return { ...finishedAs(status, now), percentCompleted: 100, lease }
    const goesOn = status === 'stopped' || status === 'waiting' || status === 'queued'
    if (!goesOn) return { ...finishedAs(status, now), lease }
    if (stored.source.cancelRequested) {
      const message = status === 'queued' ? { message: 'Cancelled.' } : {}
      return { ...finishedAs('cancelled', now), lease, ...message }
    }
    return status === 'stopped' ? { lease } : { status, lease }
  }

  function outcomeOf(thrown: unknown): Outcome | 'retry' {
    const error = deadlineFailure(thrown)
    if (lost.signal.aborted || error instanceof Unavailable) return 'retry'
    if (error instanceof Failure) return { status: 'failed', message: error.message }
    services.log.error({ err: error, task: id }, 'task failed')
    return { status: 'failed', message: 'An internal error occurred. It has been logged.' }
  }

  const timer = setInterval(() => void beat(), beatMs)
  const ticking = setInterval(() => {
    if (!isLost()) watchdog.tick()
  }, TICK_MS)
  const done = work()
    .catch((error: unknown) => {
      if (!isLost()) services.log.warn({ err: error, task: id }, 'end of a task not stored')
    })
    .finally(() => {
      clearInterval(timer)
      clearInterval(ticking)
    })
  return {
    id,
    organization: origin.organization.id,
    target: task.target,
    latest: () => (isLost() ? undefined : stored.source),
    done,
    beat: () => void beat(),
    stop() {
      stopping = true
    },
    abandon: () => lost.abort(),
  }
}
