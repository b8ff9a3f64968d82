import { describe, expect, test } from 'vitest'
import { criteriaOf } from '../../../src/search/criteria.ts'
import { shownMetadata } from '../../../src/search/metadata-response.ts'
import { readFacets } from '../../../src/search/read-facets.ts'
import { SearchRequest } from '../../../src/search/request-schemas.ts'

const criteria = (body: unknown) => criteriaOf(SearchRequest.parse(body))
const buckets = (counts: Record<string, number>) => ({
  buckets: Object.entries(counts).map(([key, doc_count]) => ({ key, doc_count })),
})
const tokens = (name: string, values: Record<string, number>) =>
  Object.fromEntries(Object.entries(values).map(([value, n]) => [`${name}\u001f${value}`, n]))

describe('facets from a list of tokens', () => {
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`v${at}`, 20 - at]))
  const answer = {
    facetNames: buckets({ whole: 9, cut: 9, hidden: 5, wellShown: 999 }),
    facets: buckets({
      ...tokens('wellShown', many),
      ...tokens('whole', { a: 6, b: 3 }),
      ...tokens('cut', { c: 8 }),
      ...tokens('elsewhere', { d: 4 }),
    }),
  }

  test('are names by coverage; those with too few of their values are incomplete', () => {
    const { facets, incomplete } = readFacets(answer, criteria({}))
    expect([...facets.keys()]).toEqual(['whole', 'cut', 'hidden', 'wellShown'])
    expect([...facets.get('whole')!]).toEqual([
      ['a', 6],
      ['b', 3],
    ])
    expect(incomplete).toEqual(['cut', 'hidden'])
  })

  test('have at most fifty values per name', () => {
    const values = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`v${at}`, 1]))
    const wide = {
      facetNames: buckets({ wide: 60 }),
      facets: buckets(tokens('wide', values)),
    }
    const { facets, incomplete } = readFacets(wide, criteria({}))
    expect(facets.get('wide')!.size).toBe(50)
    expect(incomplete).toEqual([])
  })
})

test('include a selected value without products, but never an excluded one', () => {
  const answer = {
    rest: {},
    own0: {
      manufacturers: buckets({ HP: 3 }),
      manufacturersChosen: buckets({ Rare: 1 }),
    },
  }
  const { manufacturers } = readFacets(
    answer,
    criteria({
      manufacturer: ['HP', 'Rare', 'None', 'Out'],
      exclude: [{ type: 'manufacturer', value: 'Out' }],
    }),
  )
  expect([...manufacturers]).toEqual([
    ['HP', 3],
    ['Rare', 1],
    ['None', 0],
  ])
})

test('include the selections of facets that these narrow, and their numbers', () => {
  const names = Array.from({ length: 16 }, (_, at) => `a${10 + at}`)
  const must = [...names, 'hit', 'none'].map((name) => ({ type: 'facet', name, value: 'X' }))
  const answer = {
    shared: {
      rest: {
        facetNames: buckets({ hit: 3 }),
        facets: buckets({ 'hit\u001fX\u001fx': 3 }),
        facetsChosen: buckets({ 'hit\u001fX\u001fx': 3 }),
        numbers: { names: { buckets: [{ key: 'size', stats: { min: 2, max: 4 } }] } },
      },
      shared0: { own0: { values: buckets({ 'a10\u001fX\u001fx': 3, 'a10\u001fY\u001fy': 2 }) } },
    },
  }
  const filters = [
    { name: 'size', min: 1, max: 9 },
    { name: 'weight', min: 5, max: 6 },
  ]
  const { facets, numbers, incomplete } = readFacets(answer, criteria({ must, filters }))
  const valuesOf = (name: string) => [...facets.get(name)!]
  expect(valuesOf('a10')).toEqual([
    ['X', 3],
    ['Y', 2],
  ])
  expect([valuesOf('hit'), valuesOf('none')]).toEqual([[['X', 3]], [['X', 0]]])
  expect([...numbers]).toEqual([
    ['size', { min: 2, max: 4 }],
    ['weight', { min: 5, max: 6 }],
  ])
  expect(incomplete).toEqual([])
})

describe('metadata', () => {
  const facets = {
    manufacturers: new Map([['HP', 2]]),
    vendors: new Map([['V', 1]]),
    paths: new Map([
      ['S\u001fC\u001f', 1],
      ['S\u001fD\u001fE', 3],
      ['T\u001f\u001f', 9],
      ['\u001fC\u001fE', 2],
    ]),
    prices: { min: 1, max: 2 },
    facets: new Map([['size', new Map([['L', 4]])]]),
    numbers: new Map([['weight', { min: 0.5, max: 2 }]]),
    found: new Map([['L', 4]]),
    incomplete: [],
  }

  test('is what the API returns', () => {
    expect(shownMetadata({ ...facets, found: null }, criteria({}))).toEqual({
      segments: { T: [], S: ['D', 'C'], '': ['C'] },
      vendors: ['V'],
      manufacturers: ['HP'],
      facets: { size: ['L'] },
      filters: { weight: { key: 'weight', min: 0.5, max: 2 } },
    })
  })

  test('includes counts on request', () => {
    expect(shownMetadata(facets, criteria({ counts: true, segment: 'U' }))).toMatchObject({
      segments: { U: [] },
      counts: {
        segments: { T: 9, S: 4, U: 0 },
        categories: { S: { C: 1, D: 3 }, '': { C: 2 } },
        subCategories: { D: { E: 3 }, C: { E: 2 } },
        manufacturers: { HP: 2 },
        vendors: { V: 1 },
        facets: { size: { L: 4 } },
        price: { min: 1, max: 2 },
      },
      facetSearch: { L: 4 },
    })
  })
})
