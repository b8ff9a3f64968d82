import { expect, test } from 'vitest'
import {
  quickNamesBody,
  quickNumbersBody,
  readQuicksearch,
} from '../../../src/search/quicksearch.ts'

const terms = (include: string) => ({
  terms: {
    field: 'search.quick',
    include,
    size: 10,
    order: [{ _count: 'desc' }, { _key: 'asc' }],
  },
})

test('manufacturers and categories are counted by their folded text', () => {
  expect(quickNamesBody('É.1')).toEqual({
    size: 0,
    track_total_hits: false,
    terminate_after: 100_000,
    query: {
      bool: {
        should: [
          { prefix: { 'search.quick': 'm\u001fe.1' } },
          { prefix: { 'search.quick': 'c\u001fe.1' } },
        ],
        minimum_should_match: 1,
      },
    },
    aggs: { m: terms('m\u001fe\\.1.*'), c: terms('c\u001fe\\.1.*') },
  })
})

test('part numbers are found in their order, each once, without letter case and punctuation', () => {
  expect(quickNumbersBody('É.1')).toEqual({
    size: 10,
    track_total_hits: false,
    _source: false,
    query: { prefix: { 'search.manufacturerPartNumber.begin': 'e1' } },
    collapse: { field: 'search.manufacturerPartNumber' },
    sort: [{ 'search.manufacturerPartNumber': 'asc' }],
  })
})

test('a text without letters and digits is not a part number', () => {
  expect(quickNumbersBody('&')).toBeUndefined()
})

test('values are shown in their original spelling', () => {
  const names = {
    aggregations: { m: { buckets: [{ key: 'm\u001fxerox\u001fXerox', doc_count: 2 }] } },
  }
  const numbers = { hits: { hits: [{ sort: ['a12\u001fA.1-2'] }] } }
  expect(readQuicksearch(names as never, numbers as never)).toEqual({
    manufacturers: ['Xerox'],
    categories: [],
    manufacturerPartNumbers: ['A.1-2'],
  })
})
