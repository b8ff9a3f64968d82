import { afterEach, expect, test, vi } from 'vitest'
import { TooManyRequests } from '../../../src/errors.ts'
import { pausableTimeLimit, timeLimit, untilAborted } from '../../../src/platform/deadline.ts'

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
  const { signal, whilePaused } = pausableTimeLimit(100, 1_000)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  vi.advanceTimersByTime(60)
  const both = [whilePaused(() => first.promise), whilePaused(() => second.promise)]
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

  const whole = pausableTimeLimit(100, 1_000)
  void whole.whilePaused(() => never)
  vi.advanceTimersByTime(999)
  expect(whole.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(whole.signal.reason).toBeInstanceOf(TooManyRequests)
})

test('a time limit that was ended during a pause does not start again', async () => {
  vi.useFakeTimers()
  const { signal, whilePaused, end } = pausableTimeLimit(100, 1_000)
  const { promise, resolve } = Promise.withResolvers<void>()
  const paused = whilePaused(() => promise)
  end()
  resolve()
  await paused
  expect([vi.getTimerCount(), signal.aborted]).toEqual([0, false])
})
