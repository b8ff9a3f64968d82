import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hedgedAttempts } from '../../../src/platform/hedged-attempts.ts'

const LOOK_MS = 100
const AFTER_MS = 400

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Advances past the time after which silence is noticed. */
const silence = () => vi.advanceTimersByTimeAsync(AFTER_MS + LOOK_MS)

/** Attempts that end when the test says so. */
function tries(most: number, mayBegin: () => boolean = () => true) {
  const begun: (PromiseWithResolvers<string> & { signal: AbortSignal })[] = []
  const caller = new AbortController()
  const onSilence = vi.fn((ms: number) => ms >= AFTER_MS && mayBegin())
  const answer = hedgedAttempts<string>({
    ask(n, signal) {
      expect(n).toBe(begun.length)
      const one = { ...Promise.withResolvers<string>(), signal }
      signal.addEventListener('abort', () => one.reject(signal.reason))
      begun.push(one)
      return one.promise
    },
    most,
    lookMs: LOOK_MS,
    onSilence,
    isFinal: (error) => (error as Error).message === 'final',
    signal: caller.signal,
  })
  // The test looks at the rejection later.
  answer.catch(() => undefined)
  return { begun, answer, caller, onSilence }
}

describe('the first answer of several attempts', () => {
  test('is that of the only one if it comes soon', async () => {
    const { begun, answer, onSilence } = tries(3)
    begun[0]!.resolve('first')
    expect(await answer).toBe('first')
    await vi.advanceTimersByTimeAsync(10 * AFTER_MS)
    expect([begun.length, onSilence.mock.calls.length]).toEqual([1, 0])
  })

  test('is that of a further one while the first one is slow, which is then aborted', async () => {
    const { begun, answer } = tries(3)
    await silence()
    expect(begun.map(({ signal }) => signal.aborted)).toEqual([false, false])
    begun[1]!.resolve('second')
    expect(await answer).toBe('second')
    expect(begun.map(({ signal }) => signal.aborted)).toEqual([true, true])
  })

  test('can still be that of a slow first one', async () => {
    const { begun, answer } = tries(2)
    await vi.advanceTimersByTimeAsync(10 * AFTER_MS)
    expect(begun).toHaveLength(2)
    begun[0]!.resolve('slow')
    expect(await answer).toBe('slow')
  })

  test('waits until a further attempt is allowed', async () => {
    let mayBegin = false
    const { begun } = tries(2, () => mayBegin)
    await vi.advanceTimersByTimeAsync(3 * AFTER_MS)
    expect(begun).toHaveLength(1)
    mayBegin = true
    await silence()
    expect(begun).toHaveLength(2)
  })

  test('is a final failure of any attempt', async () => {
    const { begun, answer } = tries(2)
    await silence()
    begun[1]!.reject(new Error('final'))
    await expect(answer).rejects.toThrow('final')
    expect(begun[0]!.signal.aborted).toBe(true)
  })

  test('is another failure only if no attempt is left', async () => {
    const { begun, answer } = tries(2)
    await silence()
    begun[0]!.reject(new Error('gone'))
    begun[1]!.resolve('second')
    expect(await answer).toBe('second')
    const alone = tries(1)
    alone.begun[0]!.reject(new Error('gone'))
    await expect(alone.answer).rejects.toThrow('gone')
  })

  test('ends when its caller aborts', async () => {
    const { begun, answer, caller } = tries(2)
    caller.abort(new Error('over'))
    await expect(answer).rejects.toThrow('over')
    await silence()
    expect(begun).toHaveLength(1)
  })
})
