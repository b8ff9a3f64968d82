import { expect, test } from 'vitest'
import {
  admitCall,
  afterFailure,
  type CircuitBreaker,
  closed,
  FIRST_WAIT_MS,
  isBreakerOpen,
  LONGEST_WAIT_MS,
  THRESHOLD,
  TRIAL_MS,
} from '../../../src/realtime/circuit-breaker.ts'

const at = (now: number) => ({ now, hasOwnValues: false })
const atWithValues = (now: number) => ({ now, hasOwnValues: true })

const failedTimes = (count: number, now: number, from: CircuitBreaker = closed): CircuitBreaker =>
  Array.from({ length: count }).reduce<CircuitBreaker>(
    (state) => afterFailure(state, at(now)),
    from,
  )

test('stays closed below the number of consecutive failures', () => {
  const almost = failedTimes(THRESHOLD - 1, 1_000)
  expect(almost).toEqual({ kind: 'closed', failures: THRESHOLD - 1 })
  expect(admitCall(almost, at(1_000))).toBe(almost)
  expect(isBreakerOpen(almost, 1_000)).toBe(false)
})

test('opens for a while, without any calls', () => {
  const open = failedTimes(THRESHOLD, 1_000)
  expect(open).toEqual({ kind: 'open', until: 1_000 + FIRST_WAIT_MS, waitMs: FIRST_WAIT_MS })
  expect(isBreakerOpen(open, 999 + FIRST_WAIT_MS)).toBe(true)
  expect(admitCall(open, at(999 + FIRST_WAIT_MS))).toBeUndefined()
  // Calls that were still running when it opened change nothing.
  expect(afterFailure(open, at(1_500))).toBe(open)
})

test('does not stay open when the clock is set back by an hour', () => {
  const open = failedTimes(THRESHOLD, 3_600_000)
  expect(isBreakerOpen(open, 3_600_001)).toBe(true)
  expect(isBreakerOpen(open, 0)).toBe(false)
})

test('allows one trial call after the wait', () => {
  const open = failedTimes(THRESHOLD, 0)
  const trial = admitCall(open, at(FIRST_WAIT_MS))!
  expect(trial).toEqual({ kind: 'trial', until: FIRST_WAIT_MS + TRIAL_MS, waitMs: FIRST_WAIT_MS })
  expect(admitCall(trial, at(FIRST_WAIT_MS + 1))).toBeUndefined()
  expect(isBreakerOpen(trial, FIRST_WAIT_MS + 1)).toBe(true)
  expect(admitCall(closed, at(FIRST_WAIT_MS + 1))).toEqual(closed)
})

test('doubles the wait with each failed trial, up to a maximum', () => {
  const trial = admitCall(failedTimes(THRESHOLD, 0), at(FIRST_WAIT_MS))!
  expect(afterFailure(trial, at(20_000))).toEqual({
    kind: 'open',
    until: 20_000 + 2 * FIRST_WAIT_MS,
    waitMs: 2 * FIRST_WAIT_MS,
  })
  const long: CircuitBreaker = { kind: 'trial', until: 1, waitMs: LONGEST_WAIT_MS }
  expect(afterFailure(long, at(0))).toMatchObject({
    until: LONGEST_WAIT_MS,
    waitMs: LONGEST_WAIT_MS,
  })
})

test('allows another trial if one never ended', () => {
  const lost: CircuitBreaker = { kind: 'trial', until: 5_000, waitMs: 100 }
  expect(admitCall(lost, at(5_000))).toEqual({
    kind: 'trial',
    until: 5_000 + TRIAL_MS,
    waitMs: 100,
  })
})

test('leaves the trial to calls without values of their caller, which may be why a call fails', () => {
  const open = failedTimes(THRESHOLD, 0)
  expect(admitCall(open, atWithValues(FIRST_WAIT_MS - 1))).toBeUndefined()
  const during = admitCall(open, atWithValues(FIRST_WAIT_MS))!
  expect(during).toBe(open)
  expect(afterFailure(during, atWithValues(FIRST_WAIT_MS + 1))).toBe(open)
  const trial = admitCall(open, at(FIRST_WAIT_MS + 2))!
  expect(trial.kind).toBe('trial')
  expect(afterFailure(trial, atWithValues(FIRST_WAIT_MS + 3))).toBe(trial)
  expect(afterFailure(closed, atWithValues(0))).toBe(closed)
})
