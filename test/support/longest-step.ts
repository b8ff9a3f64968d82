import { setImmediate } from 'node:timers/promises'

/** The longest processor time, in milliseconds, for which `work` blocked the event loop. */
export async function longestStep(work: () => Promise<unknown>): Promise<number> {
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
