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

/** Bytes after which a transfer rests. */
const TRANSFERRED = 1024 * 1024

/** Paces a transfer: called with the bytes of each chunk. It rests only while others are active. */
export function createTransferPacing(hasOthers: () => boolean): (bytes: number) => Promise<void> {
  let since = performance.eventLoopUtilization()
  let transferred = 0
  return async (bytes) => {
    transferred += bytes
    if (transferred < TRANSFERRED) return
    transferred = 0
    if (hasOthers()) await setTimeout(restAfter(since))
    since = performance.eventLoopUtilization()
  }
}

/** Passes on the chunks of a transfer, paced by `pace`. */
export async function* pacedChunks<C extends Uint8Array>(
  chunks: AsyncIterable<C> | Iterable<C>,
  pace: (bytes: number) => Promise<void>,
): AsyncGenerator<C> {
  for await (const chunk of chunks) {
    // The receiver may free its memory.
    const { byteLength } = chunk
    yield chunk
    await pace(byteLength)
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
