import { afterEach, expect, test, vi } from 'vitest'
import { timeLimit, untilAborted } from '../../../src/platform/deadline.ts'

const never = new Promise<never>(() => undefined)

test('untilAborted returns the result of the work, or throws the reason of the signal', async () => {
  const { signal } = new AbortController()
  expect(await untilAborted(signal, Promise.resolve(1))).toBe(1)
  await expect(untilAborted(signal, Promise.reject(new Error('no')))).rejects.toThrow('no')
  const stop = new AbortController()
  const waiting = untilAborted(stop.signal, never)
  stop.abort(new Error('late'))
  await expect(waiting).rejects.toThrow('late')
  await expect(untilAborted(stop.signal, never)).rejects.toThrow('late')
})

afterEach(() => void vi.useRealTimers())

test('a time limit aborts on time, unless it was ended', () => {
  vi.useFakeTimers()
  const limits = [timeLimit(100), timeLimit(100), timeLimit(200)]
  limits[1]!.end()
  vi.advanceTimersByTime(100)
  expect(limits.map(({ signal }) => signal.aborted)).toEqual([true, false, false])
  expect(limits[0]!.signal.reason.name).toBe('TimeoutError')
})

test('a time limit aborts with another signal, for its reason, unless it was ended', () => {
  const stop = new AbortController()
  const [on, ended] = [timeLimit(60_000, stop.signal), timeLimit(60_000, stop.signal)]
  ended.end()
  stop.abort(new Error('enough'))
  expect(on.signal.reason.message).toBe('enough')
  expect(ended.signal.aborted).toBe(false)
  expect(timeLimit(60_000, stop.signal).signal.reason.message).toBe('enough')
  on.end()
})
