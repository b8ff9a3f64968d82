import { describe, expect, test } from 'vitest'
import type { CriterionType } from '../../../src/caller.ts'
import { clauseOf, numberClause } from '../../../src/search/conditions.ts'
import { offerClauses } from '../../../src/search/offers.ts'

const asker = { organization: 'org', username: 'ann', scope: 'org/shop', language: 'en' } as const
const clause = (type: CriterionType, values: string[], name: string | null = null) =>
  clauseOf({ type, name, values }, asker)

describe('the clause of a criterion', () => {
  test.each([
    ['manufacturer', { terms: { 'search.manufacturer': ['a', 'b'] } }],
    ['vendor', { terms: { 'search.vendors': ['a', 'b'] } }],
    ['segment', { terms: { 'search.segment': ['a', 'b'] } }],
    ['category', { terms: { 'search.category': ['a', 'b'] } }],
    ['subCategory', { terms: { 'search.subCategory': ['a', 'b'] } }],
    ['partNumber', { terms: { 'search.partNumbers': ['a', 'b'] } }],
  ] as const)('%s', (type, expected) => {
    expect(clause(type, ['a', 'b'])).toEqual(expected)
  })

  test.each([
    ['groupId', { terms: { 'search.groupId': ['a'] } }],
    ['attribute', { terms: { 'search.attributes': ['n\u001fa'] } }],
    ['facet', { terms: { 'search.facets': ['n\u001fa'] } }],
    ['extensionField', { terms: { 'search.fields': ['org\u001fn\u001fa'] } }],
  ] as const)('%s, by name', (type, expected) => {
    expect(clause(type, ['a'], 'n')).toEqual(expected)
  })

  test('favorite: the caller’s and the organization’s', () => {
    expect(clause('favorite', ['company', 'user'])).toEqual({
      terms: { 'search.favorites': ['org\u001fcompany', 'org\u001fuser\u001fann'] },
    })
  })

  test('partNumber in any spelling', () => {
    expect(clause('partNumber', ['00-A.1'])).toEqual({
      terms: { 'search.partNumbers': ['00a1', 'a1'] },
    })
  })

  test.each([
    ['43211503', { term: { 'search.unspsc': '43211503' } }],
    ['43211500', { prefix: { 'search.unspsc': '432115' } }],
    ['43200000', { prefix: { 'search.unspsc': '4320' } }],
    ['43000000', { prefix: { 'search.unspsc': '43' } }],
    ['00000000', { prefix: { 'search.unspsc': '00' } }],
    ['00', { term: { 'search.unspsc': '00' } }],
    ['100', { term: { 'search.unspsc': '100' } }],
    ['A00', { term: { 'search.unspsc': 'A00' } }],
  ])('unspsc %s', (code, expected) => {
    expect(clause('unspsc', [code])).toEqual(expected)
  })

  test('a number without bounds requires that the product has it', () => {
    expect(numberClause({ name: 'n', min: null, max: null })).toEqual({
      nested: {
        path: 'search.numbers',
        query: { bool: { filter: [{ term: { 'search.numbers.name': 'n' } }] } },
      },
    })
  })
})

describe('offers: flat for one condition, nested for two', () => {
  const price = { min: 1, max: null }
  const nested = (...filter: object[]) => ({
    nested: { path: 'search.offers', query: { bool: { filter } } },
  })
  const ofVendor = (name: string) => ({ terms: { 'search.offers.vendor': [name] } })
  const fromOne = { range: { 'search.offers.price': { gte: 1 } } }

  test.each([
    ['nothing', { vendors: [], price: null, inStock: false }, []],
    ['stock (asked of the product)', { vendors: [], price: null, inStock: true }, []],
    ['price', { vendors: [], price, inStock: false }, [{ range: { 'search.prices': { gte: 1 } } }]],
    [
      'price in stock',
      { vendors: [], price, inStock: true },
      [{ range: { 'search.stockPrices': { gte: 1 } } }],
    ],
    [
      'vendor',
      { vendors: [['a']], price: null, inStock: false },
      [{ terms: { 'search.vendors': ['a'] } }],
    ],
    [
      'vendors in stock',
      { vendors: [['a', 'b'], ['c']], price: null, inStock: true },
      [
        { terms: { 'search.stockVendors': ['a', 'b'] } },
        { terms: { 'search.stockVendors': ['c'] } },
      ],
    ],
    [
      'vendors and price, each vendor on an offer of its own',
      { vendors: [['a'], ['c']], price, inStock: false },
      [nested(ofVendor('a'), fromOne), nested(ofVendor('c'), fromOne)],
    ],
    [
      'vendor and price, which is the same whoever offers it',
      { vendors: [['a']], price, inStock: false, byListPrice: true },
      [{ range: { 'search.prices': { gte: 1 } } }, { terms: { 'search.vendors': ['a'] } }],
    ],
    [
      'vendor, price and stock',
      { vendors: [['a']], price, inStock: true },
      [nested(ofVendor('a'), fromOne, { term: { 'search.offers.inStock': true } })],
    ],
  ])('%s', (_, conditions, expected) => {
    expect(offerClauses({ byListPrice: false, ...conditions })).toEqual(expected)
  })
})
