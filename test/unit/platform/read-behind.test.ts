import { expect, test } from 'vitest'
import { createBackground } from '../../../src/platform/background.ts'
import { createReadBehind } from '../../../src/platform/read-behind.ts'

test('nobody waits: what was read last holds while it is read anew, and when that fails', async () => {
  let now = 0
  const background = createBackground({ warn: () => undefined } as never)
  const by = { background, clock: { now: () => new Date(now) } }
  const values = createReadBehind<string[]>({ name: 'test', refreshMs: 1_000 })
  let reads = 0
  const refresh = () => values.refresh(by, 'a', async () => [`read ${++reads}`])

  refresh()
  expect(values.known('a')).toBeUndefined()
  await background.settled()
  expect(values.known('a')).toEqual(['read 1'])

  now = 999
  refresh()
  await background.settled()
  expect(values.known('a')).toEqual(['read 1'])

  now = 1_000
  refresh()
  expect(values.known('a')).toEqual(['read 1'])
  await background.settled()
  expect(values.known('a')).toEqual(['read 2'])

  now = 3_000
  values.refresh(by, 'a', () => Promise.reject(new Error('down')))
  await background.settled()
  expect(values.known('a')).toEqual(['read 2'])
  expect(values.known('b')).toBeUndefined()

  refresh()
  await background.settled()
  expect(values.known('a')).toEqual(['read 3'])
})
