import { setTimeout } from 'node:timers/promises'
import { limits } from '../limits.ts'

/** Milliseconds of work before yielding. */
const TURN_MS = 5

type LoopUse = ReturnType<typeof performance.eventLoopUtilization>

/** Milliseconds that large work rests: as long as the process was busy, up to limits.restMs. */
export const restAfter = (since: LoopUse): number =>
  Math.min(limits.restMs, performance.eventLoopUtilization(since).active)

/** Paces background work: awaited between pieces, it gives others as much time as they took. */
export function createPacing(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    const ms = performance.now() - began
    if (ms < TURN_MS) return
    await setTimeout(Math.min(limits.restMs, ms))
    began = performance.now()
  }
}
