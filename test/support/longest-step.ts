import { setImmediate } from 'node:timers/promises'

/** Milliseconds of processor time for which `work` kept everything else waiting at most, at once. */
export async function longestStep(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  const done = work().finally(() => {
    isOver = true
  })
  let longest = 0
  for (let last = process.threadCpuUsage(); !isOver; ) {
    await setImmediate()
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    longest = Math.max(longest, (user + system) / 1_000)
  }
  await done
  return longest
}
