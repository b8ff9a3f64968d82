import { expect, test } from 'vitest'
import { criteriaOf } from '../../../src/search/criteria.ts'
import { rangeAggregations, readRanges } from '../../../src/search/range-facets.ts'
import { SearchRequest } from '../../../src/search/request-schemas.ts'

const asker = { organization: 'org', username: 'ann', scope: 'org/shop', language: 'en' } as const
const criteria = (body: unknown) => criteriaOf(SearchRequest.parse(body))
const facets = {
  prices: { min: 90, max: 160 },
  numbers: new Map([
    ['depth', { min: 90, max: 160 }],
    ['width', { min: 90, max: 160 }],
  ]),
}
const size = { terms: { 'search.facets': ['size\u001fL\u001fl'] } }
const depth = {
  nested: {
    path: 'search.numbers',
    query: all(
      { term: { 'search.numbers.name': 'depth' } },
      { range: { 'search.numbers.value': { gte: 5 } } },
    ),
  },
}

function all(...filter: object[]) {
  return { bool: { filter } }
}

test('ranges share the selections in other facets, and leave out their own', () => {
  const request = criteria({
    must: [{ type: 'facet', name: 'size', value: 'L' }],
    filters: [{ name: 'depth', min: 5 }],
  })
  const range = { filter: { match_all: {} }, aggs: expect.any(Object) }
  expect(rangeAggregations(request, asker, facets)).toEqual({
    shared: {
      filter: all(size),
      aggs: {
        rest: { filter: all(depth), aggs: { range0: range, range2: range } },
        own1: { filter: { match_all: {} }, aggs: { range1: range } },
      },
    },
  })
})

test('the offers of a vendor within a price stay together', () => {
  const request = criteria({
    must: [{ type: 'facet', name: 'size', value: 'L' }],
    vendors: ['V'],
    highPrice: 9,
  })
  const offer = all(
    { terms: { 'search.offers.vendor': ['V\u001fv'] } },
    { range: { 'search.offers.price': { lte: 9 } } },
  )
  const { aggs } = rangeAggregations(request, asker, facets).shared!
  expect(aggs!.rest!.filter).toEqual(all({ nested: { path: 'search.offers', query: offer } }))
  expect(aggs!.own1!.filter).toEqual(all({ terms: { 'search.vendors': ['V\u001fv'] } }))
})

test('are read where they were counted', () => {
  const counts = (...numbers: number[]) => ({
    ranges: { buckets: numbers.map((doc_count) => ({ doc_count })) },
  })
  const price = counts(1, 2, 3, 4, 5, 6, 7)
  const answer = {
    rest: { range0: price, range2: { number: { fitting: counts(8, 0, 0, 0, 0, 0, 0) } } },
    own0: { range1: { number: { fitting: counts(9, 0, 0, 0, 0, 0, 0) } } },
  }
  const request = criteria({ filters: [{ name: 'depth', min: 5 }] })
  const { price: prices, numbers } = readRanges(answer, request, facets)
  expect(prices.map(({ count }) => count)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(numbers.map(({ name, ranges }) => [name, ranges[0]!.count])).toEqual([
    ['depth', 9],
    ['width', 8],
  ])
})
