import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBackground } from '../../../src/platform/background.ts'
import { partOf } from '../../../src/platform/load-owner.ts'
import { createStaleWhileRevalidateCache } from '../../../src/platform/stale-while-revalidate.ts'

test('nobody waits: the last value is used while it is read again, and if that fails', async () => {
  let now = 0
  const background = createBackground({ warn: () => undefined } as never)
  const by = { background, clock: { now: () => new Date(now) } }
  const values = createStaleWhileRevalidateCache<string[]>({ name: 'test', refreshMs: 60_000 })
  let reads = 0
  const value = { key: 'a', owner: 'organization' }
  const refresh = () => values.refresh(by, { ...value, read: async () => [`read ${++reads}`] })

  refresh()
  expect(values.known('a')).toBeUndefined()
  await background.settled()
  expect(values.known('a')).toEqual(['read 1'])

  now = 59_999
  refresh()
  await background.settled()
  expect(values.known('a')).toEqual(['read 1'])

  now = 60_000
  refresh()
  expect(values.known('a')).toEqual(['read 1'])
  await background.settled()
  expect(values.known('a')).toEqual(['read 2'])

  now = 120_000
  values.refresh(by, { ...value, read: () => Promise.reject(new Error('down')) })
  await background.settled()
  expect(values.known('a')).toEqual(['read 2'])
  expect(values.known('b')).toBeUndefined()

  // For a while after a failure nothing is read again.
  now = 134_999
  refresh()
  await background.settled()
  expect(reads).toBe(2)
  now = 135_000
  refresh()
  await background.settled()
  expect(values.known('a')).toEqual(['read 3'])
})

const withBackground = () => {
  const background = createBackground({ warn: () => undefined } as never)
  const by = { background, clock: { now: () => new Date(0) } }
  return {
    background,
    by,
    values: createStaleWhileRevalidateCache<string[]>({ name: 'test', refreshMs: 60_000 }),
  }
}

test('an owner’s values are read one at a time, whichever part of it asks', async () => {
  const { background, by, values } = withBackground()
  const first = Promise.withResolvers<string[]>()
  const begun: string[] = []
  const refresh = (owner: string, key: string, value: Promise<string[]>) => {
    const read = () => {
      begun.push(key)
      return value
    }
    values.refresh(by, { owner, key, read })
  }
  refresh(partOf('a', '1'), 'a1', first.promise)
  for (const part of ['2', '3', '4', '5', '5']) {
    refresh(partOf('a', part), `a${part}`, Promise.resolve([]))
  }
  refresh('b', 'b1', Promise.resolve([]))
  await setImmediate()
  expect(begun).toEqual(['a1', 'b1'])
  first.resolve([])
  await background.settled()
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3', 'a4', 'a5'])
})

test('few values of an owner wait, and those of others as well', async () => {
  const { background, by, values } = withBackground()
  const first = Promise.withResolvers<string[]>()
  let begun = 0
  const refresh = (owner: string, key: string) => {
    const read = () => {
      begun++
      return first.promise
    }
    values.refresh(by, { owner, key, read })
  }
  for (let key = 0; key < 50; key++) refresh('a', `a${key}`)
  for (const owner of ['b', 'c', 'd', 'e']) refresh(owner, owner)
  await setImmediate()
  expect(begun).toBe(4)
  first.resolve([])
  await background.settled()
  expect(begun).toBe(15)
})

test('an owner of many values loses them before others lose theirs', async () => {
  const { background, by, values } = withBackground()
  const read = async (owner: string, key: string) => {
    values.refresh(by, { owner, key, read: async () => [key] })
    await background.settled()
  }
  await read('b', 'b1')
  for (let key = 0; key < 1_001; key++) await read(partOf('a', `${key % 8}`), `a${key}`)
  expect(['b1', 'a0', 'a1000'].map(values.known)).toEqual([['b1'], undefined, ['a1000']])
})
