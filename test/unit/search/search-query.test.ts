import { expect, test } from 'vitest'
import { SearchQuery } from '../../../src/search/search-query.ts'

test('a search by GET has the same criteria as one with a body', () => {
  const must = JSON.stringify([{ type: 'facet', name: 'Voltage', value: '18 V' }])
  const query = { keywords: 'drill', pageSize: '24', inStock: 'true', fields: 'name,price', must }
  expect(SearchQuery.parse(query).body).toMatchObject({
    ...{ keywords: 'drill', pageSize: 24, inStock: true, fields: ['name', 'price'] },
    must: [{ type: 'facet', name: 'Voltage', value: '18 V' }],
  })
})

test('invalid JSON in a parameter is refused', () => {
  expect(() => SearchQuery.parse({ must: '{x' })).toThrow('must: not valid JSON')
  expect(() => SearchQuery.parse({ must: '{"type": 1}' })).toThrow('must')
})
