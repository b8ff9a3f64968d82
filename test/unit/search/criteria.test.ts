import { describe, expect, test } from 'vitest'
import { CRITERION_TYPES } from '../../../src/caller.ts'
import { Invalid } from '../../../src/errors.ts'
import { criteriaOf } from '../../../src/search/criteria.ts'
import { SearchRequest } from '../../../src/search/request-schemas.ts'

const criteria = (body: unknown) => criteriaOf(SearchRequest.parse(body))

const longCriterion = (at: number) => ({ type: 'category', value: `${at}`.padEnd(2_000, 'x') })

const refusal = (body: unknown): string => {
  try {
    criteria(body)
  } catch (error) {
    if (error instanceof Invalid) return error.message
    throw error
  }
  return 'accepted'
}

describe('a request', () => {
  test('treats absent, null and empty alike', () => {
    const silent = {
      keywords: ' ',
      page: null,
      pageSize: 0,
      inStock: null,
      lowPrice: null,
      highPrice: null,
      manufacturer: null,
      vendors: [null, ''],
      must: null,
      boost: [],
      exclude: null,
      segment: '',
      category: null,
      subCategory: null,
      checkRealtimeSelection: null,
      includeMetadata: null,
      filters: null,
      sort: '',
      cursor: '',
      highlight: null,
      explain: null,
      counts: null,
      facetSearch: null,
    }
    const expected = {
      keywords: null,
      typing: false,
      begunTypes: false,
      inStock: false,
      price: null,
      byListPrice: false,
      prices: null,
      wanted: [],
      excluded: [],
      boosted: [],
      numbers: [],
      sort: 'relevance',
      from: 0,
      size: 25,
      cursor: null,
      metadata: true,
      counts: false,
      group: false,
      highlight: false,
      explain: false,
      facetSearch: null,
      hidden: false,
      bySignals: false,
      rules: null,
      facets: null,
      selection: null,
      whole: false,
    }
    expect(criteria({})).toEqual(expected)
    expect(criteria(silent)).toEqual(expected)
  })

  test('combines fields and criteria of one type; equal criteria are alternatives', () => {
    const { wanted } = criteria({
      manufacturer: ['HP', 'Acer', 'HP'],
      must: [
        { type: 'manufacturer', value: 'Xerox' },
        { type: 'facet', name: 'size', value: 'L' },
        { type: 'facet', name: 'size', value: 'S' },
        { type: 'facet', name: 'colour', value: 'red' },
      ],
    })
    expect(wanted).toEqual([
      { type: 'facet', name: 'colour', values: ['red'] },
      { type: 'facet', name: 'size', values: ['L', 'S'] },
      { type: 'manufacturer', name: null, values: ['Acer', 'HP'] },
      { type: 'manufacturer', name: null, values: ['Xerox'] },
    ])
  })

  test('has the same criteria in any order', () => {
    const one = { type: 'tag', value: 'a' }
    const two = { type: 'facet', name: 'n', value: 'b' }
    const three = { type: 'facet', name: 'n', value: 'c' }
    expect(JSON.stringify(criteria({ must: [one, two, three], vendors: ['x', 'y'] }))).toBe(
      JSON.stringify(criteria({ vendors: ['y', 'x', 'y'], must: [three, one, two] })),
    )
  })

  test('ignores a name that a type does not need', () => {
    expect(criteria({ must: [{ type: 'vendor', name: 'x', value: 'v' }] }).wanted).toEqual([
      { type: 'vendor', name: null, values: ['v'] },
    ])
  })

  test('treats punctuation alone as no keywords', () => {
    expect(criteria({ keywords: ' -- ! ' }).keywords).toBeNull()
  })

  test('reads a page as a window of hits', () => {
    expect(criteria({ page: 3, pageSize: 20 })).toMatchObject({ from: 60, size: 20 })
    expect(criteria({ page: 39, pageSize: 250 })).toMatchObject({ from: 9_750, size: 250 })
    expect(criteria({ cursor: '*', pageSize: 7 })).toMatchObject({ from: 0, size: 7, cursor: '*' })
  })
})

describe('an invalid request is refused', () => {
  const deep =
    'page: only the first 10000 hits can be paged; narrow the search, or use cursor "*" to get all'
  const types = `must[0].type: expected one of ${CRITERION_TYPES.join(', ')}`

  test.each([
    ['a page past the last one', { page: 40, pageSize: 250 }, deep],
    ['a page far past the last one', { page: 2_147_483_647 }, deep],
    ['page and cursor', { page: 1, cursor: '*' }, 'page: cannot be combined with cursor'],
    [
      'prices the wrong way round',
      { lowPrice: 2, highPrice: 1 },
      'lowPrice: must not be above highPrice',
    ],
    ['an unknown type', { must: [{ type: 'colour', value: 'x' }] }, types],
    ['no type', { must: [{ type: null, value: 'x' }] }, types],
    ['no value', { boost: [{ type: 'vendor' }] }, 'boost[0].value: required'],
    [
      'an empty value, further on',
      {
        exclude: [
          { type: 'tag', value: 'a' },
          { type: 'tag', value: '' },
        ],
      },
      'exclude[1].value: required',
    ],
    [
      'no name where one is needed',
      { must: [{ type: 'attribute', value: 'x' }] },
      'must[0].name: required for type attribute',
    ],
    [
      'half the name of an extension field',
      { must: [{ type: 'extensionField', name: 'x', value: 'y' }] },
      'must[0].name: expected extension/field',
    ],
    [
      'another favorite',
      { must: [{ type: 'favorite', value: 'mine' }] },
      'must[0].value: expected user or company',
    ],
    [
      'a part number of marks',
      { must: [{ type: 'partNumber', value: '--' }] },
      'must[0].value: expected a letter or a digit',
    ],
    [
      'long words',
      { must: [{ type: 'keyword', value: 'x'.repeat(513) }] },
      'Criteria of type keyword: at most 32 words and 512 characters in total',
    ],
    [
      'too many criteria in all',
      Object.fromEntries(
        ['must', 'boost', 'exclude'].map((field) => [
          field,
          Array.from({ length: 34 }, () => ({ type: 'tag', value: 'x' })),
        ]),
      ),
      'must, boost and exclude: at most 100 criteria in total',
    ],
    [
      'criteria that are long together',
      {
        must: Array.from({ length: 20 }, (_, at) => longCriterion(at)),
        exclude: Array.from({ length: 13 }, (_, at) => longCriterion(at)),
      },
      'must, boost and exclude: names and values of criteria have at most 65536 characters in total',
    ],
    [
      'too many words in criteria',
      {
        must: Array.from({ length: 17 }, (_, at) => ({ type: 'keyword', value: `a${at}` })),
        boost: Array.from({ length: 8 }, (_, at) => ({ type: 'keyword', value: `b${at} c` })),
      },
      'Criteria of type keyword: at most 32 words and 512 characters in total',
    ],
    ['a filter without name', { filters: [{ min: 1 }] }, 'filters[0].name: required'],
    [
      'a filter the wrong way round',
      { filters: [{ name: 'n' }, { name: 'n', min: 2, max: 1 }] },
      'filters[1].min: must not be above max',
    ],
    [
      'facet search without metadata',
      { includeMetadata: false, facetSearch: { name: 'n' } },
      'facetSearch: requires includeMetadata',
    ],
    [
      'facet search without a name',
      { facetSearch: { text: 'x' } },
      'facetSearch.name: required for type facet',
    ],
  ])('%s', (_, body, message) => {
    expect(refusal(body)).toBe(message)
  })
})
