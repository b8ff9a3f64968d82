import { expect, test } from 'vitest'
import { catalogWord } from '../../../../src/products/catalog-words.ts'
import {
  pastQueriesBody,
  pastQuery,
  readPastQueries,
} from '../../../../src/search/suggestions/past-queries.ts'

const bucket = (text: string, { users = 1, own = 0, days = 0, count = 1 }) => ({
  key: pastQuery(text),
  doc_count: count,
  users: { value: users },
  own: { doc_count: own },
  pages: { days: { buckets: Array.from({ length: days }) } },
})

test('a query is stored folded, and shown in lower case', () => {
  expect(pastQuery(' Glühbirne   E27')).toBe('gluhbirne e27\u001fglühbirne e27')
})

test.each([
  [' Dr', [{ prefix: { pastQuery: 'dr' } }, { prefix: { suggestion: 'dr' } }]],
  ['', [{ exists: { field: 'pastQuery' } }, { exists: { field: 'suggestion' } }]],
])('of %j, the queries that begin with it are counted', (text, should) => {
  const now = new Date('2026-01-31T00:00:00Z')
  const asked = { text, catalog: 'shop', username: null, bounds: undefined, now }
  expect(pastQueriesBody(asked).query).toEqual({
    bool: {
      filter: [
        { bool: { should, minimum_should_match: 1 } },
        { term: { catalog: 'shop' } },
        { range: { time: { gte: '2026-01-01T00:00:00.000Z' } } },
      ],
    },
  })
})

test('suggested are queries of two users, of the caller, and of pages on three days', () => {
  const buckets = [
    bucket('of one', {}),
    bucket('of two', { users: 2 }),
    bucket('mine', { own: 1 }),
    bucket('of pages', { days: 3 }),
    bucket('of pages for two days', { days: 2 }),
  ]
  expect(readPastQueries({ aggregations: { pastQuery: { buckets } } } as never)).toEqual([
    'of two',
    'mine',
    'of pages',
  ])
})

test('queries of entries with a tag and of those from before are suggested together, once each', () => {
  const tagged = (text: string, count: number) => {
    const own = bucket(text, { users: 2, count })
    return { ...own, key: catalogWord('acme', own.key) }
  }
  const aggregations = {
    pastQuery: { buckets: [tagged('often', 9), tagged('both', 2)] },
    suggestion: { buckets: [bucket('both', { users: 3, count: 5 }), bucket('of one', {})] },
  }
  expect(readPastQueries({ aggregations } as never)).toEqual(['often', 'both'])
})
