import { setImmediate } from 'node:timers/promises'
import type { Steps } from './steps.ts'

/** Milliseconds for which others wait at a time. */
const STEP_MS = 5

/** Does long work, and lets others have their turn in between. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  for (let began = performance.now(); ; ) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - began < STEP_MS) continue
    await setImmediate()
    began = performance.now()
  }
}
