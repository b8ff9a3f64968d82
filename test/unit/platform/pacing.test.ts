import { expect, onTestFinished, test, vi } from 'vitest'
import { createPacing, inPacedSteps } from '../../../src/platform/pacing.ts'
import { longestStep } from '../../support/longest-step.ts'

test('others can run between the steps of long work', async () => {
  const piece = () => {
    for (const began = process.threadCpuUsage(); ; ) {
      const { user, system } = process.threadCpuUsage(began)
      if (user + system > 20_000) return
    }
  }
  const work = async () => {
    const letOthersRun = createPacing()
    for (let at = 0; at < 25; at++) {
      piece()
      await letOthersRun()
    }
  }
  // Half a second in one step; a collection of garbage may be part of the longest.
  expect(await longestStep(work)).toBeLessThan(250)
})

test('short work does not pause', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const letOthersRun = createPacing()
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  for (let at = 0; at < 10; at++) await letOthersRun()
  clearInterval(timer)
  expect(turns).toBe(0)
})

test('others have as much time as long work in steps', async () => {
  function* work() {
    for (let at = 0; at < 3; at++) {
      for (const began = performance.now(); performance.now() - began < 20; );
      yield
    }
    return 'done'
  }
  const began = performance.now()
  expect(await inPacedSteps(work())).toBe('done')
  expect(performance.now() - began).toBeGreaterThanOrEqual(110)
})
