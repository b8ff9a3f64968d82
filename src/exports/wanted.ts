import { setTimeout as sleep } from 'node:timers/promises'
import { Interrupted } from '../imports/writing/patience.ts'
import type { TaskRunContext } from '../tasks/task.ts'

const LOOK_MS = 100

type Run = Pick<TaskRunContext, 'isCancelled' | 'hold'>

/** Calls somebody else; told to give way, the run waits for no answer. Throws Interrupted. */
export async function whileWanted<T>(
  { isCancelled, hold }: Run,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  hold()
  const stop = new AbortController()
  const timer = setInterval(() => isCancelled() && stop.abort(), LOOK_MS)
  try {
    return await work(stop.signal)
  } catch (error) {
    if (stop.signal.aborted) throw new Interrupted()
    throw error
  } finally {
    clearInterval(timer)
  }
}

/** Throws Interrupted. */
export async function pause({ isCancelled }: Run, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= LOOK_MS) {
    if (isCancelled()) throw new Interrupted()
    await sleep(Math.min(left, LOOK_MS))
  }
}
