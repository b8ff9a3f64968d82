import { describe, expect, test } from 'vitest'
import {
  afterAttempt,
  claimedDelivery,
  type Delivery,
  isDue,
  redelivered,
} from '../../../src/callbacks/delivery.ts'
import { delayAfter } from '../../../src/callbacks/retry-schedule.ts'
import { retryAfterMs } from '../../../src/platform/outbound/retry-after.ts'

const START = Date.parse('2026-03-01T00:00:00Z')
const at = (seconds: number) => new Date(START + seconds * 1_000)
const fresh: Delivery = {
  id: 'task_1',
  taskId: '1',
  url: 'https://buyer.example/hook',
  body: '{}',
  status: 'pending',
  attempts: [],
  tries: 0,
  nextAttempt: at(0).toISOString(),
  claim: null,
  created: at(0).toISOString(),
  expires: at(30 * 86_400).toISOString(),
}

const refused = (status: number | null) => ({
  time: at(0).toISOString(),
  status,
  error: 'The receiver did not take it.',
})
const taken = { time: at(0).toISOString(), status: 204, error: null }

/** The delivery after an attempt by the instance that has claimed it. */
function tried(delivery: Delivery, parts: Partial<Parameters<typeof afterAttempt>[1]> = {}) {
  return afterAttempt(claimedDelivery(delivery, 'me', at(60)), {
    claim: 'me',
    attempt: refused(500),
    retryAfterMs: undefined,
    now: at(0),
    random: 0,
    ...parts,
  })
}

describe('after an attempt', () => {
  test('that was accepted, the delivery is complete', () => {
    expect(tried(fresh, { attempt: taken })).toEqual({
      ...fresh,
      status: 'delivered',
      attempts: [taken],
      tries: 1,
      nextAttempt: null,
    })
  })

  test('that failed, the next one is due in five seconds', () => {
    const next = tried(fresh)
    expect(next).toMatchObject({ status: 'pending', tries: 1, claim: null })
    expect(next.nextAttempt).toBe('2026-03-01T00:00:05.000Z')
    expect([isDue(next, at(4.999)), isDue(next, at(5))]).toEqual([false, true])
  })

  test('with a 410, no other is made', () => {
    const next = tried(fresh, { attempt: refused(410) })
    expect(next).toMatchObject({ status: 'failed', nextAttempt: null })
  })

  test('with a Retry-After, the next one waits that long, between the schedule and eight hours', () => {
    const waits = [1_000, 90_000, 10 ** 12].map((retryAfterMs) => {
      return Date.parse(tried(fresh, { retryAfterMs }).nextAttempt!) - START
    })
    expect(waits).toEqual([5_000, 90_000, 8 * 3_600_000])
  })

  test('of a failed delivery, only the list of attempts changes', () => {
    const held = claimedDelivery(fresh, 'another', at(60))
    const next = afterAttempt(held, {
      claim: 'me',
      attempt: taken,
      retryAfterMs: undefined,
      now: at(0),
      random: 0,
    })
    expect(next).toEqual({ ...held, attempts: [taken] })
  })

  test('the newest twenty attempts are listed', () => {
    const attempts = Array.from({ length: 20 }, (_, status) => refused(status))
    expect(tried({ ...fresh, attempts }, { attempt: taken }).attempts).toEqual([
      ...attempts.slice(1),
      taken,
    ])
  })
})

test('the schedule covers a day and then ends, with at most a tenth more', () => {
  const delays = (random: number) => {
    const all: number[] = []
    for (let tries = 1; ; tries++) {
      const delay = delayAfter(tries, random)
      if (delay === undefined) return all
      all.push(delay / 1_000)
    }
  }
  expect(delays(0)).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 28800])
  const sum = (all: number[]) => all.reduce((a, b) => a + b)
  expect(sum(delays(0)) / 3_600).toBeCloseTo(23.7, 1)
  expect(sum(delays(1)) / sum(delays(0))).toBeCloseTo(1.1, 5)
  expect(tried({ ...fresh, tries: 10 })).toMatchObject({ status: 'failed', nextAttempt: null })
})

test('a callback that is redelivered has the whole schedule before it', () => {
  const failed = tried({ ...fresh, tries: 10 })
  const again = redelivered(failed, at(100))
  expect(again).toMatchObject({ status: 'pending', tries: 0, attempts: failed.attempts })
  expect(isDue(again, at(100))).toBe(true)
  expect(tried(again, { now: at(100) }).nextAttempt).toBe('2026-03-01T00:01:45.000Z')
  expect(again.expires).toBe(at(30 * 86_400 + 100).toISOString())
})

test.each([
  [undefined, undefined],
  ['0', 0],
  ['120', 120_000],
  ['Sun, 01 Mar 2026 00:01:00 GMT', 60_000],
  ['Sun, 01 Mar 2020 00:01:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['1e9', undefined],
  ['99999999999999', undefined],
])('Retry-After: %s is %s ms', (header, ms) => {
  expect(retryAfterMs(header, at(0))).toBe(ms)
})
