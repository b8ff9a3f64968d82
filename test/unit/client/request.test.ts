import { describe, expect, test } from 'vitest'
import { facetAttribute, numberAttribute } from '../../../client/src/instantsearch/attributes.ts'
import { readIndex, searchRequest } from '../../../client/src/instantsearch/request.ts'

const shown = {
  catalog: 'demo',
  highlight: true,
  counts: true,
  facets: { most: 10, lists: true, ranges: true, tree: true },
}

describe('a request of InstantSearch', () => {
  test('becomes one search', () => {
    expect(searchRequest('demo', {})).toEqual({ keywords: '', ...shown })
    expect(
      searchRequest('demo/-price', {
        query: 'drill',
        page: 2,
        hitsPerPage: 24,
        queryType: 'prefixLast',
        distinct: true,
        getRankingInfo: true,
        clickAnalytics: true,
        userToken: 'v',
      }),
    ).toEqual({
      keywords: 'drill',
      typing: true,
      page: 2,
      pageSize: 24,
      sort: '-price',
      group: true,
      analytics: true,
      explain: true,
      visitor: 'v',
      ...shown,
    })
  })

  test('filters by lists, the category, stock and exclusions', () => {
    const facetFilters = [
      ['manufacturer:Brennick', 'manufacturer:A: B'],
      ['vendor:Oakvale Supply'],
      ['facet.Voltage:18 V', 'facet.Voltage:12 V'],
      ['facet.Rating:\\-5'],
      ['inStock:true'],
      'categories.lvl1:Tools > Drills',
      'facet.Color:-Red',
    ]
    expect(searchRequest('demo', { facetFilters })).toEqual({
      keywords: '',
      manufacturer: ['Brennick', 'A: B'],
      vendors: ['Oakvale Supply'],
      inStock: true,
      must: [
        { type: 'categoryPath', value: 'Tools > Drills' },
        { type: 'facet', name: 'Voltage', value: '18 V' },
        { type: 'facet', name: 'Voltage', value: '12 V' },
        { type: 'facet', name: 'Rating', value: '-5' },
      ],
      exclude: [{ type: 'facet', name: 'Color', value: 'Red' }],
      ...shown,
    })
  })

  test('filters by the price and by numbers', () => {
    const weight = numberAttribute('Weight (kg)')
    const numericFilters = ['price>=10', 'price<=20.5', `${weight}>=0.5`, 'number.Ports<=8']
    expect(searchRequest('demo', { numericFilters })).toEqual({
      keywords: '',
      lowPrice: 10,
      highPrice: 20.5,
      filters: [
        { name: 'Weight (kg)', min: 0.5 },
        { name: 'Ports', max: 8 },
      ],
      ...shown,
    })
  })

  test('supports facets and numbers with any names', () => {
    const name = 'a:b >= 100% <c> now!'
    const { must, filters } = searchRequest('demo', {
      facetFilters: [[`${facetAttribute(name)}:x:y`]],
      numericFilters: [`${numberAttribute(name)}=-1`],
    })
    expect(must).toEqual([{ type: 'facet', name, value: 'x:y' }])
    expect(filters).toEqual([{ name, min: -1, max: -1 }])
  })
})

test.each(['price<5', 'price>5', 'price!=5'])('%s is refused, not ignored', (filter) => {
  expect(() => searchRequest('demo', { numericFilters: [filter] })).toThrow(filter)
})

test('an index name is a catalog, with a sort order', () => {
  expect(readIndex('demo')).toEqual({ catalog: 'demo' })
  expect(readIndex('demo/-name')).toEqual({ catalog: 'demo', sort: '-name' })
})
