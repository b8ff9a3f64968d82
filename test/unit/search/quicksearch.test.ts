import { expect, test } from 'vitest'
import { quicksearchBody, readQuicksearch } from '../../../src/search/quicksearch.ts'

const terms = (include: string) => ({
  terms: {
    field: 'search.quick',
    include,
    size: 10,
    order: [{ _count: 'desc' }, { _key: 'asc' }],
  },
})

test('one request completes three kinds, folded', () => {
  expect(quicksearchBody('É.1')).toEqual({
    size: 0,
    track_total_hits: false,
    terminate_after: 100_000,
    query: {
      bool: {
        should: [
          { prefix: { 'search.quick': 'm\u001fe.1' } },
          { prefix: { 'search.quick': 'c\u001fe.1' } },
          { prefix: { 'search.quick': 'p\u001fe1' } },
        ],
        minimum_should_match: 1,
      },
    },
    aggs: {
      m: terms('m\u001fe\\.1.*'),
      c: terms('c\u001fe\\.1.*'),
      p: terms('p\u001fe1.*'),
    },
  })
})

test('a text without letters and digits is not a part number', () => {
  expect(Object.keys(quicksearchBody('&').aggs!)).toEqual(['m', 'c'])
})

test('values are shown in their original spelling', () => {
  const answer = {
    aggregations: { m: { buckets: [{ key: 'm\u001fxerox\u001fXerox', doc_count: 2 }] } },
  }
  expect(readQuicksearch(answer as never)).toEqual({
    manufacturers: ['Xerox'],
    categories: [],
    manufacturerPartNumbers: [],
  })
})
