import { Interrupted } from './backoff.ts'
import type { Here } from './places.ts'
import type { TaskRunContext } from './task.ts'

const LOOK_MS = 100

/** Calls another system; its signal aborts as the task stops or is lost. Throws Interrupted. */
export async function withCancellation<T>(
  {
    ctx,
    isCancelled,
    hold,
    elsewhere,
  }: Pick<TaskRunContext, 'ctx' | 'isCancelled' | 'hold' | 'elsewhere'>,
  work: (signal: AbortSignal, here: Here) => Promise<T>,
): Promise<T> {
  hold()
  const stop = new AbortController()
  const timer = setInterval(() => isCancelled() && stop.abort(new Interrupted()), LOOK_MS)
  try {
    return await elsewhere((here) => work(AbortSignal.any([stop.signal, ctx.signal]), here))
  } catch (error) {
    if (stop.signal.aborted) throw new Interrupted()
    throw error
  } finally {
    clearInterval(timer)
  }
}
