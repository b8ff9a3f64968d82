import { describe, expect, test } from 'vitest'
import { assignmentOf, VISITOR_GROUPS } from '../../../src/analytics/experiment.ts'
import {
  type ExperimentBuckets,
  experimentFigures,
} from '../../../src/analytics/experiment-figures.ts'
import { quantile, rateDifference } from '../../../src/analytics/rate-difference.ts'

describe('visitors', () => {
  const visitors = Array.from({ length: 10_000 }, (_, at) => `visitor ${at}`)
  const assigned = (share: number, name = 'x') =>
    visitors.map((visitor) => assignmentOf(visitor, { catalog: 'c', name, share }))
  const inVariant = (list: ReturnType<typeof assigned>) =>
    list.map(({ variant }) => variant === 'variant')

  test('get the variant in the configured share, across all groups', () => {
    for (const share of [0.1, 0.5]) {
      const count = inVariant(assigned(share)).filter(Boolean).length
      expect(Math.abs(count / visitors.length - share)).toBeLessThan(0.02)
    }
    expect(new Set(assigned(0.5).map(({ group }) => group)).size).toBe(VISITOR_GROUPS)
  })

  test('keep it when the share grows, and are assigned anew in another experiment', () => {
    const [few, many, other] = [assigned(0.1), assigned(0.5), assigned(0.5, 'y')].map(inVariant)
    expect(few!.every((variant, at) => !variant || many![at])).toBe(true)
    const same = many!.filter((variant, at) => variant === other![at]).length
    expect(Math.abs(same / visitors.length - 0.5)).toBeLessThan(0.02)
  })
})

describe('a difference of rates', () => {
  const groups = (...parts: number[]) => parts.map((part) => ({ part, all: 10 }))

  test('has the confidence interval of Student’s t across groups', () => {
    const low = groups(1, 2, 3, 2, 1, 2, 3, 2, 1, 3)
    const high = groups(5, 6, 4, 5, 6, 4, 5, 5, 6, 4)
    // Computed by hand: rates 0.2 and 0.5, and variances of means of ten groups, both 6/90/100.
    const reach = 2.262 * Math.sqrt(6 / 90 / 100 + 6 / 90 / 100)
    const { value, low: least, high: most } = rateDifference(low, high)
    expect(value).toBeCloseTo(0.3, 10)
    expect(least).toBeCloseTo(0.3 - reach, 4)
    expect(most).toBeCloseTo(0.3 + reach, 4)
  })

  test.each([
    ['few groups', groups(1, 2, 3), groups(3, 2, 1), 0],
    ['no scatter', groups(...Array(20).fill(0)), groups(...Array(20).fill(5)), 0.5],
    ['nothing on one side', groups(1, 2), [{ part: 1, all: 0 }], null],
  ])('of %s has no interval', (_, first, second, value) => {
    expect(rateDifference(first, second)).toEqual({ value, low: null, high: null })
  })

  test.each([
    [9, 2.2622],
    [20, 2.086],
    [99, 1.9842],
  ])('with %i degrees of freedom has %f standard errors', (degrees, reach) => {
    expect(quantile(degrees)).toBeCloseTo(reach, 3)
  })

  // One in twenty intervals misses; checked by 400 samples of a deterministic generator.
  test('has an interval that covers the truth 19 times out of 20, however often visitors search', () => {
    let seed = 7
    const random = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return seed / 2 ** 32
    }
    const drawn = () => {
      const all = Array.from({ length: 40 }, () => ({ part: 0, all: 0 }))
      for (let visitor = 0; visitor < 80; visitor++) {
        const group = all[Math.floor(random() * all.length)]!
        const [searches, inclined] = [1 + Math.floor(random() * 6), random() < 0.5 ? 0.6 : 0.1]
        for (let at = 0; at < searches; at++) {
          group.all++
          if (random() < inclined) group.part++
        }
      }
      return all
    }
    const held = Array.from({ length: 400 }, () => rateDifference(drawn(), drawn()))
    const right = held.filter(({ low, high }) => low! <= 0 && high! >= 0).length / held.length
    expect(right).toBeGreaterThan(0.92)
    expect(right).toBeLessThan(0.98)
  })
})

test('a rate of nothing is null', () => {
  const { control, difference } = experimentFigures(undefined)
  expect(control.searches).toBe(0)
  expect(difference.clickThroughRate).toEqual({ value: null, low: null, high: null })
})

test('clicks without a position do not count in the mean position', () => {
  const clicked = (value: number | null) => ({ click: { doc_count: 5, position: { value } } })
  const counted = (...values: (number | null)[]) =>
    ({ groups: { buckets: values.map(clicked) } }) as unknown as ExperimentBuckets['control']
  const figures = experimentFigures({
    control: counted(4, null),
    variant: counted(2, 2),
  } as ExperimentBuckets)
  const { difference } = figures
  expect(difference.clickPosition.value).toBe(-2)
})
