import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog } from '../../../src/platform/log.ts'
import { periodically } from '../../../src/platform/periodic.ts'
import { newTrace, requestTrace } from '../../../src/platform/request-trace.ts'

test('a stop signals the current run, waits for it, and starts no more', async () => {
  let runs = 0
  let over = false
  const periodic = periodically(createLog('silent'), {
    name: 'work',
    everyMs: 1,
    work: async (signal) => {
      runs++
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      over = true
    },
  })
  await expect.poll(() => runs).toBe(1)
  await periodic.stop()
  expect([runs, over]).toEqual([1, true])
})

test('runs once more if that is requested during a run, which may have missed what is new', async () => {
  const ends: (() => void)[] = []
  const periodic = periodically(createLog('silent'), {
    name: 'work',
    everyMs: 60_000,
    work: () => new Promise<void>((resolve) => ends.push(resolve)),
  })
  for (const _ of [1, 2, 3]) periodic.now()
  ends[0]!()
  await expect.poll(() => ends.length).toBe(2)
  ends[1]!()
  await periodic.stop()
  expect(ends).toHaveLength(2)
})

test('runs at once on request, but never twice at the same time', async () => {
  const ends: (() => void)[] = []
  const periodic = periodically(createLog('silent'), {
    name: 'work',
    everyMs: 60_000,
    work: () => new Promise<void>((resolve) => ends.push(resolve)),
  })
  periodic.now()
  periodic.now()
  expect(ends).toHaveLength(1)
  ends[0]!()
  const begun = () => {
    periodic.now()
    return ends.length
  }
  await expect.poll(begun).toBe(2)
  const stopped = periodic.stop()
  ends[1]!()
  await stopped
  periodic.now()
  expect(ends).toHaveLength(2)
})

test('rests after a run for as long as it took, outside the request', async () => {
  const runs: { at: number; isOfRequest: boolean }[] = []
  const periodic = periodically(createLog('silent'), {
    name: 'work',
    everyMs: 60_000,
    restMs: 1_000,
    work: async () => {
      const isOfRequest = requestTrace.getStore() !== undefined
      runs.push({ at: performance.now(), isOfRequest })
      await sleep(50)
    },
  })
  const trace = newTrace({ requestId: 'r', operation: 'test' })
  requestTrace.run(trace, () => {
    periodic.now()
    periodic.now()
  })
  await expect.poll(() => runs.length).toBe(2)
  await periodic.stop()
  // Timers may fire up to a millisecond early.
  expect(runs[1]!.at - runs[0]!.at).toBeGreaterThan(97)
  expect(runs.map(({ isOfRequest }) => isOfRequest)).toEqual([false, false])
})
