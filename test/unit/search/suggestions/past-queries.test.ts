import { expect, test } from 'vitest'
import { pastQuery, readPastQueries } from '../../../../src/search/suggestions/past-queries.ts'

const bucket = (text: string, { users = 1, own = 0, days = 0 }) => ({
  key: pastQuery(text),
  users: { value: users },
  own: { doc_count: own },
  pages: { days: { buckets: Array.from({ length: days }) } },
})

test('a query is stored folded, and shown in lower case', () => {
  expect(pastQuery(' Glühbirne   E27')).toBe('gluhbirne e27\u001fglühbirne e27')
})

test('suggested are queries of two users, of the caller, and of pages on three days', () => {
  const buckets = [
    bucket('of one', {}),
    bucket('of two', { users: 2 }),
    bucket('mine', { own: 1 }),
    bucket('of pages', { days: 3 }),
    bucket('of pages for two days', { days: 2 }),
  ]
  expect(readPastQueries({ aggregations: { queries: { buckets } } } as never)).toEqual([
    'of two',
    'mine',
    'of pages',
  ])
})
