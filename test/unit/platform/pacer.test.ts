import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPacer } from '../../../src/platform/pacer.ts'

const busy = (ms: number) => {
  for (const began = performance.now(); performance.now() - began < ms; );
}

test('values are worked on in order, and others can run in between', async () => {
  const pace = createPacer()
  const done: number[] = []
  let isOver = false
  const work = Array.from({ length: 50 }, async (_, at) => {
    const value = await pace(at)
    busy(2)
    done.push(value)
  })
  const all = Promise.all(work).finally(() => {
    isOver = true
  })
  let others = 0
  for (; !isOver; others++) await setImmediate()
  await all
  expect(done).toEqual(Array.from({ length: 50 }, (_, at) => at))
  expect(others).toBeGreaterThan(5)
})
