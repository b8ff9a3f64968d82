import { setImmediate } from 'node:timers/promises'
import { expect } from 'vitest'

/** The garbage of other files, and a machine that others use, may lengthen a step of some runs. */
const RUNS = 3

/**
 * Expects that `work` blocks the event loop for less than `ms` milliseconds of processor time at
 * once, in one of several runs.
 */
export async function expectStepsBelow(ms: number, work: () => Promise<unknown>): Promise<void> {
  let least = Infinity
  for (let run = 0; run < RUNS && least >= ms; run++)
    least = Math.min(least, await longestStep(work))
  expect(least).toBeLessThan(ms)
}

/** The longest processor time, in milliseconds, for which `work` blocked the event loop. */
async function longestStep(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  // Work may begin with a long step, before its first pause.
  let last = process.threadCpuUsage()
  const done = work().finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    await setImmediate()
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    longest = Math.max(longest, (user + system) / 1_000)
  }
  await done
  return longest
}
