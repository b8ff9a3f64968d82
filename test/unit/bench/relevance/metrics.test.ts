import { describe, expect, test } from 'vitest'
import {
  estimate,
  isRelevant,
  mean,
  ndcg,
  recall,
  reciprocalRank,
} from '../../../../bench/relevance/metrics.ts'
import { randomFrom } from '../../../../demo/random.ts'

const grades = (entries: Record<string, number>) => new Map(Object.entries(entries))

describe('ndcg', () => {
  test('is 1 in the best order and less in any other', () => {
    const judged = grades({ a: 3, b: 2, c: 1, d: 0 })
    expect(ndcg(['a', 'b', 'c'], judged)).toBe(1)
    // (1 + 3 / log2 3 + 7 / 2) / (7 + 3 / log2 3 + 1 / 2)
    expect(ndcg(['c', 'b', 'a'], judged)).toBeCloseTo(0.6806, 4)
  })

  test('counts unjudged hits as wrong', () => {
    const judged = grades({ a: 3, b: 0 })
    expect(ndcg(['x', 'a'], judged)).toBeCloseTo(1 / Math.log2(3), 10)
    expect(ndcg(['b', 'a'], judged)).toBe(ndcg(['x', 'a'], judged))
  })

  test('looks at ten hits, and compares them with the best ten', () => {
    const judged = grades(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`p${i}`, 1])))
    expect(ndcg([...judged.keys()], judged)).toBe(1)
    expect(ndcg([...Array(10).fill('x'), 'p1'], judged)).toBe(0)
  })

  test('is 0 without hits, and NaN if nothing is relevant', () => {
    expect(ndcg([], grades({ a: 1 }))).toBe(0)
    expect(ndcg(['a'], grades({ a: 0 }))).toBeNaN()
  })
})

test('reciprocalRank uses the first relevant hit of ten', () => {
  const isB = (id: string) => id === 'b'
  expect(reciprocalRank(['b', 'b'], isB)).toBe(1)
  expect(reciprocalRank(['a', 'c', 'b'], isB)).toBe(1 / 3)
  expect(reciprocalRank([...Array(10).fill('a'), 'b'], isB)).toBe(0)
})

test('a product is relevant from grade 1 on', () => {
  const judged = grades({ a: 0, b: 1, c: 3 })
  expect(['a', 'b', 'c', 'unjudged'].map(isRelevant(judged))).toEqual([false, true, true, false])
})

describe('recall', () => {
  test('is the share of the relevant products among the first ten hits', () => {
    expect(recall(['a', 'x', 'b'], grades({ a: 3, b: 1, c: 2, d: 1, e: 0 }))).toBe(0.5)
  })

  test('expects ten if more than ten products are relevant', () => {
    const judged = grades(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`p${i}`, 3])))
    expect(recall(['p1', 'p2', 'p3', 'p4', 'p5'], judged)).toBe(0.5)
  })

  test('is NaN if nothing is relevant', () => {
    expect(recall(['a'], grades({ a: 0 }))).toBeNaN()
  })
})

test('means ignore NaN', () => {
  expect(mean([1, Number.NaN, 2])).toBe(1.5)
  expect(mean([])).toBeNaN()
  const { mean: middle, interval } = estimate([0.5, Number.NaN, 0.5], randomFrom('m'))
  expect([middle, interval]).toEqual([0.5, { low: 0.5, high: 0.5 }])
})

test('the interval of a mean contains it, and narrows with more values', () => {
  const values = Array.from({ length: 64 }, (_, i) => (i % 4) / 3)
  const { mean: middle, interval } = estimate(values, randomFrom('m'))
  expect(middle).toBe(0.5)
  // 1.96 standard errors: 0.373 / 8
  expect(interval.low).toBeCloseTo(0.409, 1)
  expect(interval.high).toBeCloseTo(0.591, 1)
  const few = estimate(values.slice(0, 16), randomFrom('m')).interval
  expect(few.high - few.low).toBeGreaterThan(1.5 * (interval.high - interval.low))
})
