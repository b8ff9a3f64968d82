import { expect, test } from 'vitest'
import { untilAborted } from '../../../src/platform/deadline.ts'

const never = new Promise<never>(() => undefined)

test('untilAborted answers what the work does, or throws the reason of the signal', async () => {
  const { signal } = new AbortController()
  expect(await untilAborted(signal, Promise.resolve(1))).toBe(1)
  await expect(untilAborted(signal, Promise.reject(new Error('no')))).rejects.toThrow('no')
  const stop = new AbortController()
  const waiting = untilAborted(stop.signal, never)
  stop.abort(new Error('late'))
  await expect(waiting).rejects.toThrow('late')
  await expect(untilAborted(stop.signal, never)).rejects.toThrow('late')
})
