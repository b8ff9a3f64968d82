import { expect, test } from 'vitest'
import { mapLimited } from '../../../src/platform/map-limited.ts'

test('results are in order, and only a few items are under way', async () => {
  let underWay = 0
  let most = 0
  const doubled = await mapLimited([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setImmediate(resolve))
    underWay--
    return item * 2
  })
  expect(doubled).toEqual([2, 4, 6, 8, 10, 12, 14])
  expect(most).toBe(3)
})

test('no item begins after a failure', async () => {
  const begun: number[] = []
  const failing = mapLimited([1, 2, 3, 4], 2, async (item) => {
    begun.push(item)
    await null
    if (item === 1) throw new Error('no')
    return item
  })
  await expect(failing).rejects.toThrow('no')
  expect(begun).not.toContain(4)
})

test('a failure is thrown once all work has ended', async () => {
  const ended: number[] = []
  const failing = mapLimited([1, 2], 2, async (item) => {
    if (item === 1) throw new Error('no')
    await new Promise((resolve) => setImmediate(resolve))
    ended.push(item)
  })
  await expect(failing).rejects.toThrow('no')
  expect(ended).toEqual([2])
})
