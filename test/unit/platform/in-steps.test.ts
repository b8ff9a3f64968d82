import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inSteps, mapInSteps, STEP_MS } from '../../../src/platform/in-steps.ts'
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

test('of works that go on at the same time, only one takes a step in a turn of the event loop', async () => {
  let turn = 0
  let ticking = setTick()
  function setTick() {
    return globalThis.setImmediate(() => {
      turn++
      ticking = setTick()
    })
  }
  const works = [1, 2, 3, 4]
  const turns: number[] = []
  function* noted(): Steps<void> {
    for (const _ of works) {
      turns.push(turn)
      atOnce(busyFor(STEP_MS))
      yield
    }
  }
  await Promise.all(works.map(() => inSteps(noted())))
  globalThis.clearImmediate(ticking)
  // All begin at once. A turn may count as two, since a step may come before the tick or after it.
  const later = Map.groupBy(turns.slice(works.length), (at) => at)
  for (const steps of later.values()) expect(steps.length).toBeLessThanOrEqual(2)
})
