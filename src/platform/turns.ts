import { setImmediate } from 'node:timers/promises'
import { STEP_MS } from './in-steps.ts'

/**
 * Returns a function that passes values on one after the other, in the order of the calls, and
 * yields to the event loop between them. What is done with a value counts as its turn.
 */
export function createTurns(): <T>(value: T) => Promise<T> {
  let last = Promise.resolve()
  let began = 0
  const turn = async () => {
    if (performance.now() - began < STEP_MS) return
    await setImmediate()
    began = performance.now()
  }
  return async (value) => {
    last = last.then(turn)
    await last
    return value
  }
}
