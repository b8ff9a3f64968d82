import { setTimeout } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { Admission } from './admission.ts'
import { oneStep, STEP_MS, takeStep } from './in-steps.ts'
import { type LoadedOrganization, loadOwner } from './load-owner.ts'
import { mapSteps, type Steps } from './steps.ts'

type LoopUse = ReturnType<typeof performance.eventLoopUtilization>

/** Milliseconds that large work rests: as long as the process was busy, up to limits.restMs. */
export const restAfter = (since: LoopUse): number =>
  Math.min(limits.restMs, performance.eventLoopUtilization(since).active)

/** The organization whose work is paced, and the admission that knows who else is active. */
interface PacedWork {
  readonly requests: Pick<Admission, 'hasOthers'>
  readonly organization: LoadedOrganization
}

/** A check whether other organizations are active. */
export const othersThan =
  ({ requests, organization }: PacedWork) =>
  (): boolean =>
    requests.hasOthers(loadOwner(organization))

/**
 * Paces background work: awaited between pieces, it gives others as much time as they took. It
 * rests only while there are others.
 */
export function createPacing(hasOthers = () => true): () => Promise<void> {
  let began = performance.now()
  return async () => {
    const ms = performance.now() - began
    if (ms < STEP_MS || !hasOthers()) return
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

/** Passes on the chunks of a fast sender, paced while other organizations are active. */
export const pacedTransfer = <C extends Uint8Array>(
  work: PacedWork,
  chunks: AsyncIterable<C> | Iterable<C>,
): AsyncGenerator<C> => pacedChunks(chunks, createTransferPacing(othersThan(work)))

interface PacedSteps {
  readonly signal?: AbortSignal | undefined
  /** Whether it rests between steps; always when absent. */
  readonly hasOthers?: () => boolean
}

/** Runs long work in steps, paced where it rests. Throws the reason of the signal. */
export async function inPacedSteps<T>(
  steps: Steps<T>,
  { signal, hasOthers = () => true }: PacedSteps = {},
): Promise<T> {
  const pace = createPacing()
  for (;;) {
    signal?.throwIfAborted()
    const { done, value } = oneStep(steps)
    if (done) return value
    await (hasOthers() ? pace() : takeStep())
  }
}

/** Maps items one by one, paced. Throws the reason of the signal. */
export const mapPaced = <T, R>(
  signal: AbortSignal,
  all: readonly T[],
  work: (one: T, at: number) => R,
): Promise<R[]> => inPacedSteps(mapSteps(all, work), { signal })
