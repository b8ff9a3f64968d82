import { expect, test } from 'vitest'
import { criteriaOf } from '../../../src/search/criteria.ts'
import { priceRangesAggregation } from '../../../src/search/offers.ts'
import { rangesBetween, roundEdges, roundStep, suggestedStep } from '../../../src/search/ranges.ts'
import { SearchRequest } from '../../../src/search/request-schemas.ts'

test.each([
  [0.3, 0.5],
  [1, 1],
  [1.2, 2],
  [7, 10],
  [0.0021, 0.005],
  [0.1 + 0.2, 0.5],
])('a round step of at least %s', (least, expected) => {
  expect(roundStep(least)).toBe(expected)
})

test.each([
  ['even parts', 90, 160, [100, 110, 120, 130, 140, 150]],
  ['parts that grow', 3, 2400, [5, 10, 50, 100, 500, 1000]],
  ['from nothing', 0, 900, [1, 5, 10, 50, 100, 500]],
  ['below nothing', -20, 60, [-10, 0, 10, 20, 30, 40, 50]],
  ['fractions', 0, 0.9, [0.001, 0.005, 0.01, 0.05, 0.1, 0.5]],
  ['one value', 5, 5, []],
  ['all numbers there are', -Number.MAX_VALUE, Number.MAX_VALUE, []],
] as const)('%s', (_, min, max, expected) => {
  expect(roundEdges({ min, max })).toEqual(expected)
})

test('there are never more than eight ranges, whatever the bounds', () => {
  const ends = [1e-300, 1e-9, 0.003, 0.7, 1, 3, 12, 999, 1e6, 1e12, 1e300]
  for (const min of ends) {
    for (const max of ends.filter((end) => end > min)) {
      const edges = roundEdges({ min, max })
      expect(edges.length).toBeLessThan(9)
      expect(edges).toEqual([...new Set(edges)].sort((a, b) => a - b))
    }
  }
})

test('steps', () => {
  expect(suggestedStep(0, 30)).toBe(1)
  expect(suggestedStep(0, 30.5)).toBe(0.5)
  expect(suggestedStep(0, 2400)).toBe(50)
  expect(suggestedStep(4, 4)).toBe(1)
})

test('ranges cover all values between the bounds', () => {
  expect(rangesBetween({ min: 1, max: 9 }, [2, 5])).toEqual([
    { min: 1, max: 2 },
    { min: 2, max: 5 },
    { min: 5, max: 9 },
  ])
})

test('a price range counts products with an offer of each vendor condition in it', () => {
  const request = { vendors: ['a'], must: [{ type: 'vendor', value: 'b' }] }
  const criteria = criteriaOf(SearchRequest.parse(request))
  const inRange = (vendor: string, bounds: object) => ({
    nested: {
      path: 'search.offers',
      query: {
        bool: {
          filter: [
            { terms: { 'search.offers.vendor': [vendor] } },
            { range: { 'search.offers.price': bounds } },
          ],
        },
      },
    },
  })
  const both = (bounds: object) => ({
    bool: { filter: [inRange('a', bounds), inRange('b', bounds)] },
  })
  expect(priceRangesAggregation(criteria, [{ to: 5 }, { from: 5 }])).toEqual({
    ranges: { filters: { filters: [both({ lt: 5 }), both({ gte: 5 })] } },
  })
})
