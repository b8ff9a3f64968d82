import { describe, expect, test } from 'vitest'
import type { FoundProduct, SearchAnswer } from '../../../client/src/generated/api.ts'
import { partsOf } from '../../../client/src/instantsearch/marks.ts'
import { searchResult } from '../../../client/src/instantsearch/response.ts'

const product = (parts: Partial<FoundProduct>): FoundProduct => ({ id: 'p', name: null, ...parts })

const leaf = (path: string, count: number) => ({
  name: path.split(' > ').at(-1)!,
  path,
  count,
  children: [],
})

describe('an answer', () => {
  const answer = {
    products: [product({ name: 'A & B', highlight: { name: '<em>A</em> &amp; B' } })],
    total: 30_000,
    took: 7,
    searchId: 's',
    metadata: {
      counts: { price: { min: 1, max: 9 } },
      lists: {
        facets: [{ name: 'Voltage', values: [{ value: '18 V', count: 4 }] }],
        manufacturers: [{ value: 'Brennick', count: 2 }],
        vendors: [],
      },
      ranges: {
        price: [],
        numbers: [{ name: 'Weight (kg)', min: 0.5, max: 3, step: 0.1, ranges: [] }],
      },
      categoryTree: [{ ...leaf('Tools', 5), children: [leaf('Tools > Drills', 3)] }],
    },
  } as unknown as SearchAnswer

  test('has what InstantSearch reads of hits, pages, counts and ranges', () => {
    const tags = { highlightPreTag: '[', highlightPostTag: ']' }
    expect(searchResult('demo', { query: 'a', hitsPerPage: 24, ...tags }, answer)).toMatchObject({
      index: 'demo',
      query: 'a',
      nbHits: 30_000,
      // Pages end at hit 10,000.
      nbPages: 417,
      hitsPerPage: 24,
      queryID: 's',
      hits: [{ objectID: 'p', name: 'A & B', _highlightResult: { name: { value: '[A] & B' } } }],
      facets: {
        manufacturer: { Brennick: 2 },
        'facet.Voltage': { '18 V': 4 },
        'categories.lvl0': { Tools: 5 },
        'categories.lvl1': { 'Tools > Drills': 3 },
      },
      facets_stats: { price: { min: 1, max: 9 }, 'number.Weight (kg)': { min: 0.5, max: 3 } },
    })
  })

  test('can have no facets', () => {
    const result = searchResult('demo', {}, { products: [], total: 0, took: 1 })
    expect(result).toMatchObject({ hits: [], nbPages: 0, facets: {}, facets_stats: {} })
  })
})

test('highlighted words are parts of a plain text', () => {
  expect(partsOf('a &lt;b&gt; <em>c&#x27;s</em>&amp;lt;<em>d</em>')).toEqual([
    { text: 'a <b> ', marked: false },
    { text: "c's", marked: true },
    { text: '&lt;', marked: false },
    { text: 'd', marked: true },
  ])
})
