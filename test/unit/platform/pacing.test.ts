import { expect, onTestFinished, test, vi } from 'vitest'
import {
  createPacing,
  createTransferPacing,
  inPacedSteps,
  pacedChunks,
} from '../../../src/platform/pacing.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'

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
  await expectStepsBelow(250, work)
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

test('long work yields to the event loop also where it does not rest', async () => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 0)
  function* work() {
    for (let at = 0; at < 5; at++) {
      for (const began = performance.now(); performance.now() - began < 10; );
      yield
    }
  }
  await inPacedSteps(work(), { hasOthers: () => false })
  clearInterval(timer)
  expect(ticks).toBeGreaterThanOrEqual(3)
})

const chunks = () => Array.from({ length: 4 }, (_, at) => Buffer.alloc(512 * 1024, at))

/** Milliseconds that a receiver takes which is busy for 20 ms with each of four chunks. */
async function transferMs(): Promise<number> {
  const pace = createTransferPacing(() => true)
  const seen: number[] = []
  const began = performance.now()
  for await (const chunk of pacedChunks(chunks(), pace)) {
    for (const since = performance.now(); performance.now() - since < 20; );
    seen.push(chunk[0]!)
    // As `release` of files/upload-chunks.ts does with the memory of a chunk.
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(seen).toEqual([0, 1, 2, 3])
  return performance.now() - began
}

test('a transfer rests after each MiB while others are active', async () => {
  // At most half of it is work: 80 ms.
  expect(await transferMs()).toBeGreaterThanOrEqual(155)
})
