import { Interrupted } from './backoff.ts'
import type { WithSlot } from './slots.ts'
import type { TaskRunContext } from './task.ts'

const LOOK_MS = 100

/**
 * Calls another system. The signal of the call aborts when the task stops or is lost. Throws
 * Interrupted.
 */
export async function withCancellation<T>(
  {
    ctx,
    isCancelled,
    assertLease,
    withoutSlot,
  }: Pick<TaskRunContext, 'ctx' | 'isCancelled' | 'assertLease' | 'withoutSlot'>,
  work: (signal: AbortSignal, withSlot: WithSlot) => Promise<T>,
): Promise<T> {
  assertLease()
  const stop = new AbortController()
  const timer = setInterval(() => isCancelled() && stop.abort(new Interrupted()), LOOK_MS)
  try {
    return await withoutSlot((withSlot) =>
      work(AbortSignal.any([stop.signal, ctx.signal]), withSlot),
    )
  } catch (error) {
    if (stop.signal.aborted) throw new Interrupted()
    throw error
  } finally {
    clearInterval(timer)
  }
}
