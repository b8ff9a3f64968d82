import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { periodically } from '../platform/periodic.ts'
import { newTrace, requestTrace } from '../platform/request-trace.ts'
import type { Tracing } from '../platform/tracing.ts'
import { claimTask, type DueTask, dueTasks } from './claim.ts'
import { type Execution, type ExecutionTiming, execute } from './execution.ts'
import { createLeaseWatch } from './lease-watch.ts'
import { runningTasksOf } from './running-tasks.ts'
import { createTaskSlots } from './slots.ts'
import type { TaskRun } from './task.ts'

export interface TaskRunner {
  start(): void
  /** Looks for tasks soon: one was queued on this instance. */
  wake(): void
  /** Tasks that run here. */
  running(): number
  /** Asks running tasks to stop, writes their checkpoints, releases them, then resolves. */
  stop(): Promise<void>
}

export interface RunnerOptions extends ExecutionTiming {
  /** The unique name of this instance in its leases. */
  readonly holder?: string
  /** Tasks that this instance runs at a time. */
  readonly concurrency: number
  /** Milliseconds between searches for tasks that other instances queued or left. */
  readonly pollMs: number
  /** Milliseconds after which a task that waits for another system gives its slot away. */
  readonly slotReleaseMs: number
  /** Milliseconds that stop() waits for running tasks. */
  readonly stopMs: number
}

const DEFAULTS = {
  concurrency: 3,
  pollMs: 1_000,
  leaseMs: 10_000,
  beatMs: 500,
  slotReleaseMs: limits.taskSlotReleaseMs,
  stopMs: 8_000,
}

/** Runs the queued tasks of these kinds, and resumes those whose instance is gone. */
export function createTaskRunner(
  services: Services,
  kinds: Readonly<Record<string, TaskRun>>,
  options: Partial<RunnerOptions> = {},
): TaskRunner {
  const { concurrency, pollMs, stopMs, slotReleaseMs, ...timing } = { ...DEFAULTS, ...options }
  const { holder = crypto.randomUUID() } = options
  const watch = createLeaseWatch()
  const running = new Set<Execution>()
  const slots = createTaskSlots({ concurrency, slotReleaseMs })
  const held = runningTasksOf(services.elastic)
  let looks: ReturnType<typeof periodically> | undefined
  let stopped = false

  async function take(due: DueTask): Promise<void> {
    // Taken before the claim: meanwhile, tasks that wait for a slot would take it.
    const slot = slots.take(due.family)
    const lease = { holder, leaseMs: timing.leaseMs, watch }
    const taken = await claimTask(services, due, lease).catch((error: unknown) => {
      slot.leave()
      throw error
    })
    if (!taken) return slot.leave()
    const run = traced(services.tracing, kinds[taken.stored.source.kind]!)
    const execution = execute({
      services,
      run,
      taken,
      ...timing,
      slot,
      isAlone: () => running.size === 1,
    })
    running.add(execution)
    held.add(execution)
    // A search finds one task of each organization.
    looks?.now()
    if (stopped) execution.stop()
    void execution.done.finally(() => {
      running.delete(execution)
      slot.leave()
      held.delete(execution)
      looks?.now()
    })
  }

  async function look(): Promise<void> {
    if (slots.isFull()) return
    const { hasSlot } = slots
    const here = [...running]
    for (const due of await dueTasks(services, Object.keys(kinds), { watch, hasSlot, here })) {
      if (stopped) return
      if (hasSlot(due.family)) await take(due)
    }
  }

  function wake(): void {
    if (stopped) return
    looks ??= periodically(services.log, {
      name: 'look for tasks',
      everyMs: pollMs,
      restMs: limits.restMs,
      work: look,
    })
    looks.now()
  }

  return {
    start: wake,
    wake,
    running: () => running.size,
    async stop() {
      stopped = true
      await looks?.stop()
      for (const execution of running) execution.stop()
      const late = setTimeout(() => {
        for (const execution of running) execution.abandon()
      }, stopMs)
      await Promise.all([...running].map(({ done }) => done))
      clearTimeout(late)
    },
  }
}

/** Logs a task's calls as its own, and traces a run, linked to the request that queued it. */
const traced =
  (tracing: Tracing | undefined, run: TaskRun): TaskRun =>
  async (context) => {
    const { task, ctx } = context
    const { id: requestId, kind: operation } = task
    const organization = ctx.organization.id
    const facts = { 'aisle.task': requestId, 'aisle.organization': organization }
    const span = tracing?.work(`task ${operation}`, facts, task.trace)
    const owner = loadOwner(ctx.organization)
    const trace = newTrace({ requestId, operation, organization, owner, span, isTask: true })
    try {
      const outcome = await requestTrace.run(trace, run, context)
      span?.end({ 'aisle.outcome': outcome.status }, outcome.status === 'failed')
      return outcome
    } catch (error) {
      span?.end({ 'aisle.outcome': 'interrupted' }, true)
      throw error
    }
  }
