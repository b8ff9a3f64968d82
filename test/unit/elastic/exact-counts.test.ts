import { expect, test } from 'vitest'
import { acrossShards, recountBody, widerBody } from '../../../src/elastic/exact-counts.ts'
import type { SearchAnswer, SearchBody } from '../../../src/elastic/search.ts'

const terms = (more: object = {}) => ({ terms: { field: 'maker', size: 10, ...more } })
const nested = { path: 'offers' }
const body: SearchBody = {
  from: 20,
  query: { match_all: {} },
  sort: ['name'],
  aggs: {
    makers: terms(),
    price: { max: { field: 'price' } },
    offers: { nested, aggs: { vendors: terms() } },
  },
}
const answer = (errors: readonly [number, number]) =>
  ({
    aggregations: {
      makers: { doc_count_error_upper_bound: errors[0], buckets: [{ key: 'a' }, { key: 'b' }] },
      price: { value: 3 },
      offers: {
        doc_count: 9,
        vendors: { doc_count_error_upper_bound: errors[1], buckets: [{ key: 'c' }] },
      },
    },
  }) as unknown as SearchAnswer<unknown>

test('shards return more terms than requested', () => {
  expect(acrossShards(body).aggs).toEqual({
    makers: terms({ shard_size: 140 }),
    price: { max: { field: 'price' } },
    offers: { nested, aggs: { vendors: terms({ shard_size: 140 }) } },
  })
  const plain: SearchBody = { aggs: { price: { max: { field: 'price' } } } }
  expect(acrossShards(plain)).toBe(plain)
})

/** Like `answer`, with other counts of the last maker and the last vendor. */
const recounted = (makers: number, vendors: number) =>
  ({
    aggregations: {
      makers: {
        buckets: [
          { key: 'a', doc_count: 9 },
          { key: 'b', doc_count: makers },
        ],
      },
      offers: { vendors: { buckets: [{ key: 'c', doc_count: vendors }] } },
    },
  }) as unknown as SearchAnswer<unknown>

test('terms that may outrank the listed ones are searched among more of each shard', () => {
  expect(widerBody(body, answer([2, 3]), recounted(4, 6))).toBeUndefined()
  expect(widerBody(body, answer([2, 3]), recounted(4, 5))).toEqual({
    size: 0,
    track_total_hits: false,
    query: { match_all: {} },
    aggs: { offers: { nested, aggs: { vendors: terms({ shard_size: 10_000 }) } } },
  })
  const wide = { aggs: { makers: terms({ shard_size: 10_000 }) } }
  expect(widerBody(wide, answer([2, 0]), recounted(1, 1))).toBeUndefined()
})

test('parts filtered from an answer are filtered from the second one', () => {
  const filter_path = ['-aggregations.offers']
  expect(recountBody({ ...body, filter_path }, answer([1, 0]))?.filter_path).toBe(filter_path)
})

test('terms whose count may be too low are requested by name', () => {
  expect(recountBody(body, answer([0, 0]))).toBeUndefined()
  expect(recountBody(body, answer([0, 2]))).toEqual({
    size: 0,
    track_total_hits: false,
    query: { match_all: {} },
    aggs: {
      offers: { nested, aggs: { vendors: terms({ include: ['c'], size: 1, shard_size: 2 }) } },
    },
  })
  expect(recountBody(body, answer([1, 0]))?.aggs?.makers).toEqual(
    terms({ include: ['a', 'b'], size: 2, shard_size: 3 }),
  )
})
