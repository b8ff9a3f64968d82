import { setTimeout as sleep } from 'node:timers/promises'
import type { Stored } from '../elastic/collection.ts'
import { Failure, Stale, Unavailable } from '../errors.ts'
import type { Services } from '../operation.ts'
import { tasksOf } from './store.ts'
import type { Outcome, Progress, Task, TaskRun } from './task.ts'

export interface Timing {
  /** How long a task stays ours without a word from us. */
  readonly leaseMs: number
  /** How often progress is written, the lease renewed and a cancellation noticed. */
  readonly beatMs: number
}

/** A task that this instance runs. */
export interface Execution {
  readonly id: string
  readonly organization: string
  /** Resolves when the run has ended and that is written. */
  readonly done: Promise<void>
  /** Writes progress and looks for a cancellation now. */
  beat(): void
  /** Asks the run to give way; the task is then free for the next start. */
  stop(): void
  /** Gives the task up without another word. */
  abandon(): void
}

interface Options extends Timing {
  readonly services: Services
  readonly run: TaskRun
  readonly taken: Stored<Task>
}

class LeaseLost extends Error {}

/** Runs a task that was taken. Never rejects. */
export function execute({ services, run, taken, leaseMs, beatMs }: Options): Execution {
  const { id, origin, lease } = taken.source
  const tasks = tasksOf(services, origin.organization.id)
  const lost = new AbortController()
  let stored = taken
  let progress: Progress = {}
  let stopping = false
  let writing: Promise<void> = Promise.resolve()

  const until = (ms: number) => new Date(services.clock.now().getTime() + ms).toISOString()
  const heldFor = (ms: number) => ({ ...lease!, until: until(ms) })

  async function replace(change: () => Partial<Task>): Promise<void> {
    for (;;) {
      if (lost.signal.aborted) throw new LeaseLost()
      try {
        const next = { ...stored.source, ...progress, ...change() }
        stored = await tasks.replace(id, next, stored, { signal: lost.signal })
        return
      } catch (error) {
        if (!(error instanceof Stale)) throw error
      }
      // Somebody marked or cancelled it, or took it: only the fence tells.
      const found = await tasks.get(id, { signal: lost.signal })
      if (found?.source.lease?.fence !== lease!.fence) lost.abort()
      else stored = found
    }
  }

  /** Writes one after the other, never two at once. */
  function write(change: () => Partial<Task>): Promise<void> {
    const next = writing.then(() => replace(change))
    writing = next.catch(() => undefined)
    return next
  }

  // A beat that waits for a slow answer stands for those that follow it.
  let beating: Promise<void> | undefined
  function beat(): Promise<void> {
    beating ??= renew().finally(() => {
      beating = undefined
    })
    return beating
  }

  async function renew(): Promise<void> {
    await write(() => ({ lease: heldFor(leaseMs) })).catch((error: unknown) => {
      if (error instanceof Unavailable) {
        const { until } = stored.source.lease!
        if (Date.parse(until) <= services.clock.now().getTime()) lost.abort()
      } else if (!lost.signal.aborted) {
        services.log.warn({ err: error, task: id }, 'task progress not written')
      }
    })
  }

  async function end(change: () => Partial<Task>): Promise<void> {
    for (;;) {
      try {
        return await write(change)
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        if (Date.parse(stored.source.lease!.until) <= services.clock.now().getTime()) return
      }
      await sleep(beatMs)
    }
  }

  async function work(): Promise<void> {
    const outcome = await run({
      task: taken.source,
      ctx: { ...services, ...origin, requestId: id, signal: lost.signal },
      progress(update) {
        progress = { ...progress, ...update }
      },
      isCancelled: () => stopping || lost.signal.aborted || stored.source.cancelRequested,
      goesOnLater: () => !stored.source.cancelRequested,
    }).catch((error: unknown) => outcomeOf(error))
    if (outcome === 'retry') return end(() => ({ lease: heldFor(leaseMs) }))
    const { status, ...last } = outcome
    progress = { ...progress, ...last }
    await end(() => ending(status))
  }

  function ending(status: Outcome['status']): Partial<Task> {
    const finished = services.clock.now().toISOString()
    if (status === 'completed') return { status, finished, percentCompleted: 100 }
    if (status !== 'stopped') return { status, finished }
    return stored.source.cancelRequested ? { status: 'cancelled', finished } : { lease: heldFor(0) }
  }

  function outcomeOf(error: unknown): Outcome | 'retry' {
    if (lost.signal.aborted || error instanceof Unavailable) return 'retry'
    if (error instanceof Failure) return { status: 'failed', message: error.message }
    services.log.error({ err: error, task: id }, 'task failed')
    return { status: 'failed', message: 'Something went wrong here. It has been logged.' }
  }

  const timer = setInterval(() => void beat(), beatMs)
  const done = work()
    .catch((error: unknown) => {
      if (!lost.signal.aborted) services.log.warn({ err: error, task: id }, 'task end not written')
    })
    .finally(() => clearInterval(timer))
  return {
    id,
    organization: origin.organization.id,
    done,
    beat: () => void beat(),
    stop() {
      stopping = true
    },
    abandon: () => lost.abort(),
  }
}
