import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inSteps, mapInSteps } from '../../../src/platform/in-steps.ts'
import { atOnce, type Steps } from '../../../src/platform/steps.ts'

/** Takes processor time, not wall time, so that others get as many turns on a busy machine. */
function* busyFor(ms: number): Steps<string> {
  for (const began = process.threadCpuUsage(); ; yield) {
    const { user, system } = process.threadCpuUsage(began)
    if (user + system >= ms * 1_000) break
  }
  return 'done'
}

test('others can run during long work', async () => {
  let isOver = false
  const work = inSteps(busyFor(200)).finally(() => {
    isOver = true
  })
  let turns = 0
  for (; !isOver; turns++) await setImmediate()
  expect(await work).toBe('done')
  expect(turns).toBeGreaterThan(2)
})

test('fast work and failures have the same result', async () => {
  expect(atOnce(busyFor(1))).toBe('done')
  await expect(
    inSteps(
      (function* (): Steps<void> {
        yield
        throw new Error('no')
      })(),
    ),
  ).rejects.toThrow('no')
})

test('many items are mapped in order, and others can run in between', async () => {
  let turns = 0
  let ticking = setTick()
  function setTick() {
    return globalThis.setImmediate(() => {
      turns++
      ticking = setTick()
    })
  }
  const found = await mapInSteps(['a', 'b', 'c', 'd'], (one, at) => {
    atOnce(busyFor(10))
    return one + at
  })
  globalThis.clearImmediate(ticking)
  expect(found).toEqual(['a0', 'b1', 'c2', 'd3'])
  expect(turns).toBeGreaterThanOrEqual(3)
})
