import { setTimeout } from 'node:timers/promises'
import { limits } from '../limits.ts'
import { oneStep, STEP_MS } from './in-steps.ts'
import type { Steps } from './steps.ts'

type LoopUse = ReturnType<typeof performance.eventLoopUtilization>

/** Milliseconds that large work rests: as long as the process was busy, up to limits.restMs. */
export const restAfter = (since: LoopUse): number =>
  Math.min(limits.restMs, performance.eventLoopUtilization(since).active)

/** Paces background work: awaited between pieces, it gives others as much time as they took. */
export function createPacing(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    const ms = performance.now() - began
    if (ms < STEP_MS) return
    await setTimeout(Math.min(limits.restMs, ms))
    began = performance.now()
  }
}

/** Runs long work in steps, paced. */
export async function inPacedSteps<T>(steps: Steps<T>): Promise<T> {
  const pace = createPacing()
  for (;;) {
    const { done, value } = oneStep(steps)
    if (done) return value
    await pace()
  }
}

/** Maps items one by one, paced. Throws the reason of the signal. */
export const mapPaced = <T, R>(
  signal: AbortSignal,
  all: readonly T[],
  work: (one: T, at: number) => R,
): Promise<R[]> =>
  inPacedSteps(
    (function* () {
      const done: R[] = []
      for (const [at, one] of all.entries()) {
        done.push(work(one, at))
        yield
        signal.throwIfAborted()
      }
      return done
    })(),
  )
