import { expect, test } from 'vitest'
import { createBackground } from '../../../src/platform/background.ts'
import { createReadBehind } from '../../../src/platform/read-behind.ts'

test('nobody waits: the last value is used while it is read again, and if that fails', async () => {
  let now = 0
  const background = createBackground({ warn: () => undefined } as never)
  const by = { background, clock: { now: () => new Date(now) } }
  const values = createReadBehind<string[]>({ name: 'test', refreshMs: 60_000 })
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

test('an owner’s values are read one at a time', async () => {
  const background = createBackground({ warn: () => undefined } as never)
  const by = { background, clock: { now: () => new Date(0) } }
  const values = createReadBehind<string[]>({ name: 'test', refreshMs: 60_000 })
  const first = Promise.withResolvers<string[]>()
  const begun: string[] = []
  const refresh = (owner: string, key: string, value: Promise<string[]>) => {
    const read = () => {
      begun.push(key)
      return value
    }
    values.refresh(by, { owner, key, read })
  }
  refresh('a', 'a1', first.promise)
  refresh('a', 'a2', Promise.resolve([]))
  refresh('b', 'b1', Promise.resolve([]))
  expect(begun).toEqual(['a1', 'b1'])
  first.resolve([])
  await background.settled()
  refresh('a', 'a2', Promise.resolve([]))
  await background.settled()
  expect(begun).toEqual(['a1', 'b1', 'a2'])
})
