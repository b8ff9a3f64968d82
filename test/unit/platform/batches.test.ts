import { expect, test } from 'vitest'
import { createBatches } from '../../../src/platform/batches.ts'

test('values that arrive during a batch form the next one, in order, separately for each key', async () => {
  const batches = createBatches<number>()
  const seen: [string, readonly number[]][] = []
  const gates: (() => void)[] = []
  const work = (key: string) => async (items: readonly number[]) => {
    seen.push([key, items])
    await new Promise<void>((resolve) => gates.push(resolve))
  }
  const add = (key: string, item: number) => batches.add(key, item, work(key))
  const open = async () => {
    gates.shift()!()
    await new Promise(setImmediate)
  }
  for (const item of [1, 2, 3]) add('a', item)
  add('b', 4)
  expect(seen).toEqual([
    ['a', [1]],
    ['b', [4]],
  ])
  await open()
  expect(seen.at(-1)).toEqual(['a', [2, 3]])
  await open()
  await open()
  expect(seen).toHaveLength(3)
  add('a', 5)
  expect(seen.at(-1)).toEqual(['a', [5]])
})

test('a follower of a key’s batches is called once, and until nothing is waiting', async () => {
  const batches = createBatches<number>()
  const followed: Promise<void>[] = []
  const seen: number[] = []
  const add = (item: number) =>
    batches.add(
      'a',
      item,
      async (items) => {
        await new Promise(setImmediate)
        seen.push(...items)
      },
      (all) => followed.push(all),
    )
  for (const item of [1, 2, 3]) add(item)
  expect(followed).toHaveLength(1)
  await followed[0]
  expect(seen).toEqual([1, 2, 3])
})
