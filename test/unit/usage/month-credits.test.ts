import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CreditTerms } from '../../../src/operation.ts'
import {
  emptyMonth,
  type MonthCredits,
  monthOf,
  releaseHold,
  remainingOf,
  takeCreditFrom,
} from '../../../src/usage/month-credits.ts'

const terms = (perMonth: number, bundle = 0): CreditTerms => ({
  account: 'a',
  perMonth,
  bundle,
  bundleCost: 2,
})
const hold = (id: string, until = '2026-01-01T00:00:20.000Z') => ({ id, until })
const empty = emptyMonth('2026-01')

test('a month is in UTC', () => {
  expect(monthOf(new Date('2026-01-31T23:59:59.999Z'))).toBe('2026-01')
  expect(monthOf(new Date('2026-02-01T00:00:00.000Z'))).toBe('2026-02')
})

describe('take', () => {
  test('reserves one credit', () => {
    const first = takeCreditFrom(empty, terms(2), hold('x', '2026-01-01T00:00:30.000Z'))!
    const both = takeCreditFrom(first, terms(2), hold('y'))!
    expect(both).toEqual({
      month: '2026-01',
      taken: 2,
      added: 0,
      bundles: [],
      holds: [hold('x', '2026-01-01T00:00:30.000Z'), hold('y')],
      until: '2026-01-01T00:00:20.000Z',
    })
    expect(remainingOf(both, terms(2))).toBe(0)
    expect(takeCreditFrom(both, terms(2), hold('z'))).toBeUndefined()
  })

  test('changes nothing if repeated', () => {
    const once = takeCreditFrom(empty, terms(1), hold('x'))!
    expect(takeCreditFrom(once, terms(1), hold('x'))).toBe(once)
  })

  test('adds as many bundles as are needed, summed up by size and cost', () => {
    const lowered = { ...empty, taken: 10 }
    const enlarged = takeCreditFrom(lowered, terms(2, 4), hold('x'))!
    expect([enlarged.added, enlarged.bundles]).toEqual([12, [{ credits: 4, cost: 2, count: 3 }]])
    const spent = { ...enlarged, taken: 14 }
    expect(takeCreditFrom(spent, terms(2, 4), hold('y'))!.bundles).toEqual([
      { credits: 4, cost: 2, count: 4 },
    ])
    expect(takeCreditFrom(spent, terms(2, 5), hold('y'))!.bundles).toEqual([
      { credits: 4, cost: 2, count: 3 },
      { credits: 5, cost: 2, count: 1 },
    ])
  })
})

describe('release', () => {
  const held = takeCreditFrom(empty, terms(1), hold('x'))!

  test('spends the credit, or returns it', () => {
    expect(releaseHold(held, 'x', true)).toEqual({ ...empty, taken: 1 })
    expect(releaseHold(held, 'x', false)).toEqual(empty)
  })

  test('changes nothing without a reservation', () => {
    expect(releaseHold(held, 'y', false)).toBe(held)
  })
})

test('in any sequence, credits are never overspent, and every credit is accounted for', () => {
  const step = fc.record({ id: fc.integer({ min: 0, max: 9 }), kind: fc.constantFrom(0, 1, 2) })
  const settings = fc.record({ perMonth: fc.nat(5), bundle: fc.constantFrom(0, 0, 3) })
  fc.assert(
    fc.property(settings, fc.array(step, { maxLength: 60 }), ({ perMonth, bundle }, steps) => {
      const limit = terms(perMonth, bundle)
      let month: MonthCredits = empty
      let spent = 0
      for (const { id, kind } of steps) {
        const held = month.holds.some((one) => one.id === String(id))
        if (kind === 0) month = takeCreditFrom(month, limit, hold(String(id))) ?? month
        else month = releaseHold(month, String(id), kind === 1)
        if (kind === 1 && held) spent++
        expect(month.taken).toBe(spent + month.holds.length)
        expect(month.taken).toBeLessThanOrEqual(perMonth + month.added)
      }
    }),
  )
})
