import { afterEach, expect, test, vi } from 'vitest'
import { theirTimeLimit, timeLimit, untilAborted } from '../../../src/platform/deadline.ts'

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

test('the time limit of another system does not run during work of ours, up to a limit', async () => {
  vi.useFakeTimers()
  const { signal, ourTime } = theirTimeLimit(100, 1_000)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  vi.advanceTimersByTime(60)
  const both = [ourTime(() => first.promise), ourTime(() => second.promise)]
  vi.advanceTimersByTime(500)
  first.resolve()
  await both[0]
  vi.advanceTimersByTime(100)
  second.resolve()
  await both[1]
  vi.advanceTimersByTime(39)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(signal.reason.name).toBe('TimeoutError')

  const whole = theirTimeLimit(100, 1_000)
  void whole.ourTime(() => never)
  vi.advanceTimersByTime(999)
  expect(whole.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(whole.signal.aborted).toBe(true)
})
