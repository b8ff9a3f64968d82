import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSharedReads } from '../../../src/platform/shared-reads.ts'

test('callers during a read share one that starts after they called', async () => {
  const reads = createSharedReads<number>()
  let value = 0
  let loads = 0
  const first = Promise.withResolvers<void>()
  const load = async () => {
    const found = value
    if (++loads === 1) await first.promise
    return found
  }
  const early = reads.read('a', load)
  value = 1
  const later = [reads.read('a', load), reads.read('a', load), reads.read('a', load)]
  expect(await reads.read('b', load)).toBe(1)
  first.resolve()
  expect(await early).toBe(0)
  expect(await Promise.all(later)).toEqual([1, 1, 1])
  expect(loads).toBe(3)
})

test('a failure is shared by its callers, and the next caller reads again', async () => {
  const reads = createSharedReads<number>()
  const fail = () => Promise.reject(new Error('no'))
  const asked = [reads.read('a', fail), reads.read('a', fail), reads.read('a', fail)]
  const results = await Promise.allSettled(asked)
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await reads.read('a', async () => 1)).toBe(1)
})

test('a read is delayed by the duration of the previous one, up to a limit', async () => {
  const reads = createSharedReads<number>(40)
  const begun: number[] = []
  const load = async () => {
    begun.push(performance.now())
    await setTimeout(200)
    return performance.now()
  }
  const ended = await reads.read('a', load)
  await reads.read('a', load)
  // Timers may fire up to a millisecond early.
  expect(begun[1]! - ended).toBeGreaterThan(38)
})
