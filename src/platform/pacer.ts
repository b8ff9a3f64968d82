import { setImmediate } from 'node:timers/promises'
import { STEP_MS } from './in-steps.ts'

/**
 * Returns a function that passes values on one after the other, in the order of the calls, and
 * yields to the event loop, or pauses, when those before have taken a few milliseconds of work.
 */
export function createPacer(
  pause: () => Promise<unknown> = () => setImmediate(),
): <T>(value: T) => Promise<T> {
  let last = Promise.resolve()
  let began = 0
  const yieldIfDue = async () => {
    if (performance.now() - began < STEP_MS) return
    await pause()
    began = performance.now()
  }
  return async (value) => {
    last = last.then(yieldIfDue)
    await last
    return value
  }
}
