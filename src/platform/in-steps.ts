import { setImmediate } from 'node:timers/promises'
import { createAdmission } from './admission.ts'
import { chargeCpuTime } from './charge-cpu-time.ts'
import { currentOwner } from './request-trace.ts'
import { mapSteps, type Steps } from './steps.ts'

/** Milliseconds of work before yielding to others. */
export const STEP_MS = 2

const turns = createAdmission({ capacity: 1, waiting: Infinity, what: 'steps' })

/**
 * Waits for the turn of a step: one is taken in a turn of the event loop, in turn by owner of the
 * request, however many requests or answers are processed at the same time.
 */
export async function takeStep(): Promise<void> {
  const leave = await turns.enter(currentOwner())
  await setImmediate()
  leave()
}

/** Runs long work in steps. All but the first wait for their turn. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = oneStep(steps)
    if (done) return value
    await takeStep()
  }
}

/** Maps items one by one in steps, so that many of them do not hold up others. */
export const mapInSteps = <T, R>(
  all: readonly T[],
  work: (one: T, at: number) => R,
): Promise<R[]> => inSteps(mapSteps(all, work))

/** Works for at least STEP_MS or to the end, at the charge of the current request. */
export const oneStep = <T>(steps: Steps<T>): IteratorResult<void, T> =>
  chargeCpuTime(() => {
    for (const began = performance.now(); ; ) {
      const result = steps.next()
      if (result.done || performance.now() - began >= STEP_MS) return result
    }
  })
