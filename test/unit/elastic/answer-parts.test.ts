import { describe, expect, test } from 'vitest'
import {
  countsBody,
  emptyPage,
  joinAnswer,
  pageBody,
  splitAnswer,
} from '../../../src/elastic/answer-parts.ts'
import type { SearchAnswer, SearchBody } from '../../../src/elastic/search.ts'

const words = { match: { 'search.name': 'drill' } }
const stock = { term: { 'search.inStock': true } }
const lift = { term: { 'search.manufacturer': 'Bosch' } }
const aggs = { makers: { terms: { field: 'search.manufacturer' } } }

const byRelevance: SearchBody = {
  from: 25,
  size: 25,
  track_total_hits: true,
  _source: ['product'],
  query: { bool: { must: [words], filter: [stock], should: [lift] } },
  post_filter: stock,
  sort: [{ _score: { order: 'desc' } }],
  aggs,
  suggest: { text: 'drill' },
}

describe('the counting part of a search', () => {
  const counted = {
    size: 0,
    track_total_hits: true,
    query: { bool: { filter: [words, stock] } },
    post_filter: stock,
    aggs,
    suggest: { text: 'drill' },
  }

  test('is the same on every page and in every order', () => {
    expect(countsBody(byRelevance)).toEqual(counted)
    const query = { bool: { filter: [words, stock] } }
    const { sort, ...byName } = byRelevance
    expect(countsBody({ ...byName, from: 0, size: 10, query })).toEqual(counted)
  })

  test('keeps every clause that decides what matches', () => {
    const queries = [
      { bool: { should: [lift] } },
      { bool: { must: [words], should: [lift], minimum_should_match: 1 } },
      { bool: { must: [words], must_not: [stock] } },
      words,
    ]
    for (const query of queries) expect(countsBody({ query }).query).toEqual(query)
    expect(countsBody({})).toEqual({ size: 0 })
  })
})

test('a page is requested without the counts', () => {
  const { aggs: _, suggest, ...page } = byRelevance
  expect(pageBody(byRelevance)).toEqual({ ...page, track_total_hits: false })
})

test('the parts of an answer can be combined again', () => {
  const answer = {
    took: 3,
    timed_out: false,
    _shards: { failed: 0, successful: 1, total: 1 },
    hits: { total: { value: 7, relation: 'eq' }, max_score: 2, hits: [{ _index: 'i', _id: 'a' }] },
    aggregations: { makers: { buckets: [] } },
  } as unknown as SearchAnswer<unknown>
  const { page, counts } = splitAnswer(answer)
  expect(page.hits).toEqual({ max_score: 2, hits: [{ _index: 'i', _id: 'a' }] })
  expect(page.aggregations).toBeUndefined()
  expect(counts.hits).toEqual({ total: { value: 7, relation: 'eq' }, hits: [] })
  expect(joinAnswer({ page, counts })).toEqual(answer)
})

test('a page behind the last hit is known to be empty', () => {
  const counted = (value: number, relation = 'eq') =>
    ({ hits: { hits: [], total: { value, relation } } }) as unknown as SearchAnswer<unknown>
  expect(emptyPage({}, counted(0))).toEqual(counted(0))
  expect(emptyPage({ from: 25 }, counted(25))).toEqual(counted(25))
  expect(emptyPage({ from: 24 }, counted(25))).toBeUndefined()
  expect(emptyPage({ search_after: [1] }, counted(0))).toBeUndefined()
  expect(emptyPage({ from: 25 }, counted(25, 'gte'))).toBeUndefined()
})
