import { setImmediate } from 'node:timers/promises'
import { charged } from './charged.ts'
import type { Steps } from './steps.ts'

/** Milliseconds of work before yielding to others. */
export const STEP_MS = 5

/** Runs long work in steps, yielding to the event loop in between. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = charged(() => oneStep(steps))
    if (done) return value
    await setImmediate()
  }
}

function oneStep<T>(steps: Steps<T>): IteratorResult<void, T> {
  for (const began = performance.now(); ; ) {
    const result = steps.next()
    if (result.done || performance.now() - began >= STEP_MS) return result
  }
}
