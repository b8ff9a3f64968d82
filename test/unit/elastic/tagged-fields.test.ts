import { describe, expect, test } from 'vitest'
import { scopedBody } from '../../../src/elastic/search.ts'
import { withTags } from '../../../src/elastic/tagged-fields.ts'

const tagged = { names: new Set(['number', 'ownNumber']), tag: 'T/' }

describe('Tags of terms', () => {
  test.each([
    [{ term: { number: '4' } }, { term: { number: 'T/4' } }],
    [{ terms: { number: ['4', '5'] } }, { terms: { number: ['T/4', 'T/5'] } }],
    [{ prefix: { number: '4' } }, { prefix: { number: 'T/4' } }],
    [{ match_phrase: { number: '4' } }, { match_phrase: { number: 'T/4' } }],
    [
      { bool: { should: [{ term: { name: 'a' } }, { prefix: { number: '4', _name: 'n' } }] } },
      { bool: { should: [{ term: { name: 'a' } }, { prefix: { number: 'T/4', _name: 'n' } }] } },
    ],
  ])('stand before what %j compares', (query, expected) => {
    expect(withTags({ query }, tagged)).toEqual({ query: expected })
  })

  test.each([
    { sort: [{ number: 'asc' }], collapse: { field: 'number' } },
    { aggs: { term: { terms: { field: 'number', include: ['4'] } } } },
    { query: { bool: { filter: [{ exists: { field: 'number' } }, { term: { other: '4' } }] } } },
  ])('leave %j as it is', (body) => {
    expect(withTags(body, tagged)).toBe(body)
  })

  test('stand in filters of aggregations, whatever their names', () => {
    const named = (number: string) => ({ aggs: { terms: { filter: { term: { number } } } } })
    expect(withTags(named('4'), tagged)).toEqual(named('T/4'))
  })

  test('are put by no place that has none', () => {
    const body = { query: { prefix: { number: '4' } } }
    expect(withTags(body, undefined)).toBe(body)
  })

  test('refuse a comparison that they cannot be put into', () => {
    expect(() => withTags({ term: { number: { value: '4' } } }, tagged)).toThrow('number')
  })
})

test('a body has the tags in its query, in what is visible and in what replaces hidden fields', () => {
  const visible = {
    filter: { terms: { number: ['1'] } },
    instead: { number: 'ownNumber' },
    admits: () => true,
    source: [],
  }
  const body = { query: { prefix: { number: '4' } }, post_filter: { term: { number: '5' } } }
  expect(scopedBody({ scope: 'o/c', tagged, visible }, body)).toEqual({
    query: {
      bool: {
        filter: [{ term: { scope: 'o/c' } }, { terms: { number: ['T/1'] } }],
        must: [{ prefix: { ownNumber: 'T/4' } }],
      },
    },
    post_filter: { term: { ownNumber: 'T/5' } },
  })
})
