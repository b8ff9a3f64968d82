import { describe, expect, test } from 'vitest'
import {
  blockOrder,
  bootstrapInterval,
  growthExponent,
  isSteady,
  median,
  pairRatios,
  quantile,
} from '../../../bench/statistics.ts'
import { randomFrom } from '../../../demo/random.ts'

describe('quantile', () => {
  test('is a value, or lies between two neighbors', () => {
    expect(quantile([3, 1, 2], 0)).toBe(1)
    expect(quantile([3, 1, 2], 1)).toBe(3)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(quantile([10, 20, 30, 40, 50], 0.95)).toBeCloseTo(48)
  })

  test('of nothing is NaN', () => {
    expect(median([])).toBeNaN()
  })

  test('leaves its input unchanged', () => {
    const values = [3, 1, 2]
    median(values)
    expect(values).toEqual([3, 1, 2])
  })
})

describe('pairs', () => {
  test('start equally often with each side', () => {
    expect(blockOrder(4).join('')).toBe('ABBAABBA')
    expect(blockOrder(1).join('')).toBe('AB')
  })

  test('compare neighbors as B divided by A, whichever came first', () => {
    const values = [100, 80, 45, 50]
    const blocks = blockOrder(2).map((side, i) => ({ side, value: values[i]! }))
    expect(pairRatios(blocks)).toEqual([0.8, 0.9])
  })

  test('have a median ratio unaffected by a drift of both sides', () => {
    const blocks = blockOrder(20).map((side, i) => ({
      side,
      value: (side === 'A' ? 100 : 90) * (1 - i / 400),
    }))
    expect(median(pairRatios(blocks))).toBeCloseTo(0.9, 4)
  })
})

describe('bootstrapInterval', () => {
  test('contains the median, lies within the values, and is the same for the same seed', () => {
    const values = [0.88, 0.9, 0.91, 0.87, 0.93, 0.9, 0.89, 0.92, 0.9, 0.86]
    const interval = bootstrapInterval(values, randomFrom('seed'))
    expect(interval.low).toBeLessThanOrEqual(0.9)
    expect(interval.high).toBeGreaterThanOrEqual(0.9)
    expect(interval.low).toBeGreaterThanOrEqual(0.86)
    expect(interval.high).toBeLessThanOrEqual(0.93)
    expect(bootstrapInterval(values, randomFrom('seed'))).toEqual(interval)
  })

  test('of equal values is that value', () => {
    expect(bootstrapInterval([2, 2, 2], randomFrom('x'))).toEqual({ low: 2, high: 2 })
  })

  test('is wider for values that vary more', () => {
    const width = (spread: number) => {
      const values = Array.from({ length: 10 }, (_, i) => 1 + spread * (i - 4.5))
      const { low, high } = bootstrapInterval(values, randomFrom('w'))
      return high - low
    }
    expect(width(0.1)).toBeGreaterThan(5 * width(0.01))
  })
})

describe('growthExponent', () => {
  test('finds the power of exact data', () => {
    const points = [1e4, 1e5, 1e6].map((size) => ({ size, value: 0.02 * size ** 0.7 }))
    expect(growthExponent(points)).toBeCloseTo(0.7, 10)
  })

  test('is 0 without growth', () => {
    expect(growthExponent([1e4, 1e5].map((size) => ({ size, value: 3 })))).toBeCloseTo(0)
  })
})

describe('isSteady', () => {
  test('looks at the last three windows', () => {
    expect(isSteady([10, 50, 100, 101, 102])).toBe(true)
    expect(isSteady([100, 101, 110])).toBe(false)
    expect(isSteady([100, 100])).toBe(false)
  })
})
