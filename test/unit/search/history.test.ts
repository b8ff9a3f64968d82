import { describe, expect, test } from 'vitest'
import type { Condition, CriterionType } from '../../../src/operation.ts'
import { catalogWord } from '../../../src/products/catalog-words.ts'
import { boundsPrint, historyRequest, pastQueryOf } from '../../../src/search/history.ts'
import { SearchRequest } from '../../../src/search/request-schemas.ts'
import { SearchHistory } from '../../../src/search/response-schemas.ts'

const printOf = (type: CriterionType, username: string, boundTo: string | null) => {
  const wanted: Condition[] = [{ type, name: null, values: ['user'] }]
  const filters = [{ wanted, excluded: [], inStock: false }]
  return boundsPrint({ bounds: { catalogs: null, filters, hide: [] }, username, boundTo })
}

test('only short keywords that were found are suggested to others', () => {
  const pastQueryFor = (keywords: string, total: number) => pastQueryOf(keywords, { total }, 'acme')
  expect(pastQueryFor('Drill', 1)).toEqual({ pastQuery: catalogWord('acme', 'drill\u001fdrill') })
  expect(pastQueryFor('Drill', 0)).toEqual({})
  expect(pastQueryFor('ﷺ'.repeat(85), 1)).toHaveProperty('pastQuery')
  expect(pastQueryFor('ﷺ'.repeat(86), 1)).toEqual({})
})

describe('The history of a key is separated', () => {
  test.each(['favorite', 'tag', 'extensionField'] as const)(
    'by whose %s its filter names',
    (type) => {
      expect(printOf(type, 'ann', 'acme')).toBe(printOf(type, 'ann', 'acme'))
      expect(printOf(type, 'bob', 'acme')).not.toBe(printOf(type, 'ann', 'acme'))
      expect(printOf(type, 'ann', null)).not.toBe(printOf(type, 'ann', 'acme'))
    },
  )

  test('not at all if its filter names fields of products', () => {
    expect(printOf('category', 'bob', null)).toBe(printOf('category', 'ann', 'acme'))
  })
})

test('all recorded fields of a request are declared', () => {
  const declared = Object.keys(SearchHistory.shape.items.element.shape)
  const used = Object.fromEntries(Object.keys(SearchRequest.shape).map((name) => [name, true]))
  expect(declared).toEqual(expect.arrayContaining(Object.keys(historyRequest(used as never))))
})
