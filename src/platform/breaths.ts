import { setTimeout } from 'node:timers/promises'
import { limits } from '../limits.ts'

/** Milliseconds of work after which others have their turn. */
const BREATH_MS = 10

/** To be waited for between pieces of long work in the background: others have as long as it took. */
export function createBreaths(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    const ms = performance.now() - began
    if (ms < BREATH_MS) return
    await setTimeout(Math.min(limits.restMs, ms))
    began = performance.now()
  }
}
