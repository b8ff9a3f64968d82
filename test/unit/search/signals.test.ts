import { expect, test } from 'vitest'
import { DEFAULT_SIGNALS, signalQueries } from '../../../src/search/signals.ts'

test('by default only products in stock and not discontinued are boosted', () => {
  expect(signalQueries(DEFAULT_SIGNALS)).toEqual([
    ['inStock', { constant_score: { filter: { term: { 'search.inStock': true } }, boost: 0.1 } }],
    [
      'notDiscontinued',
      {
        constant_score: {
          filter: { bool: { must_not: [{ term: { 'search.discontinued': true } }] } },
          boost: 2,
        },
      },
    ],
  ])
  expect(signalQueries({ inStock: 0, notDiscontinued: 0, newest: 0, numbers: [] })).toEqual([])
})

test('a number boosts up to its weight, and so does recency', () => {
  const numbers = [{ name: 'Sold', weight: 2, best: 90 }]
  const none = { inStock: 0, notDiscontinued: 0 }
  const [newest, number] = signalQueries({ ...none, newest: 0.5, numbers })
  expect(newest).toEqual([
    'newest',
    {
      distance_feature: { field: 'search.updated', origin: 'now', pivot: '30d', boost: 0.5 },
    },
  ])
  expect(number).toMatchObject([
    'number',
    {
      nested: {
        query: {
          function_score: {
            functions: [{ field_value_factor: { factor: 0.1, modifier: 'log1p' }, weight: 2 }],
            max_boost: 2,
          },
        },
      },
    },
    'Sold',
  ])
})
