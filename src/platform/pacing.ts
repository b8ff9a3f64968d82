import { setTimeout } from 'node:timers/promises'
import { limits } from '../limits.ts'

/** Milliseconds of work after which others have their turn. */
const TURN_MS = 5

type LoopUse = ReturnType<typeof performance.eventLoopUtilization>

/** Milliseconds for which large work rests: as long as the process was busy since, limits.restMs at most. */
export const restAfter = (since: LoopUse): number =>
  Math.min(limits.restMs, performance.eventLoopUtilization(since).active)

/** To be waited for between pieces of long work in the background: others have as long as it took. */
export function createPacing(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    const ms = performance.now() - began
    if (ms < TURN_MS) return
    await setTimeout(Math.min(limits.restMs, ms))
    began = performance.now()
  }
}
