import { setImmediate } from 'node:timers/promises'
import type { Steps } from './steps.ts'

/** Milliseconds of work before yielding to others. */
export const STEP_MS = 5

/** Runs long work in steps, yielding to the event loop in between. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  for (let began = performance.now(); ; ) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - began < STEP_MS) continue
    await setImmediate()
    began = performance.now()
  }
}
