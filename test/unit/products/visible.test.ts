import { describe, expect, test } from 'vitest'
import type { Condition, CriterionType } from '../../../src/operation.ts'
import { conditionsOf } from '../../../src/products/criteria.ts'
import { noAnnotations } from '../../../src/products/product.ts'
import { visibleProducts } from '../../../src/products/visible.ts'
import { document, offer } from './make.ts'

const LONG = '製'.repeat(2_000)

const condition = (type: CriterionType, value: string): Condition => ({
  type,
  name: null,
  values: [value],
})

const visible = (
  wanted: readonly Condition[],
  inStock = false,
  excluded: readonly Condition[] = [],
) =>
  visibleProducts({
    bounds: {
      filters: [{ wanted, excluded, inStock }],
      hide: [],
      organization: 'acme',
      username: 'ann',
    },
  })!

describe('A filter of a key', () => {
  test('by vendor and stock refers to the stock of that vendor, in searches and reads', () => {
    const { filter, admits } = visible([condition('vendor', 'ann')], true)
    expect(filter).toEqual({
      bool: {
        filter: [
          {
            bool: {
              filter: [
                { terms: { 'search.stockVendors': ['ann'] } },
                { term: { 'search.inStock': true } },
              ],
            },
          },
        ],
      },
    })
    const sold = document({ vendors: [offer('ann'), offer('bob', { inStock: true })] })
    expect(admits(sold)).toBe(false)
    expect(admits(document({ vendors: [offer('ann', { inStock: true })] }))).toBe(true)
    expect(visible([condition('vendor', 'ann')]).admits(sold)).toBe(true)
  })

  test.each([
    [[condition('tag', 'shop')], ['annotations.acme']],
    [[condition('category', 'Pianos')], ['product.category']],
    [[condition('categoryPath', 'A > B')], ['segment', 'category', 'subCategory'].map(member)],
    [[condition('unspsc', '10200000')], ['product.unspsc']],
    [
      [condition('vendor', 'ann'), condition('manufacturer', 'Open')],
      ['vendors', 'manufacturer'].map(member),
    ],
    [
      [condition('partNumber', '1')],
      ['id', 'manufacturerPartNumber', 'vendors', 'upcs'].map(member),
    ],
  ])('by %j reads %j', (wanted, source) => {
    expect(visible(wanted).source).toEqual(['product.hidden', ...source])
  })

  test('by a long value admits the products that searches find', () => {
    const [facet] = conditionsOf([{ type: 'facet', name: 'F', value: LONG }], 'filter')
    expect(visible([facet!]).admits(document({ facets: { F: LONG } }))).toBe(true)
    expect(visible([facet!]).admits(document({ facets: { F: `${LONG}!` } }))).toBe(false)
    const whole = { type: 'attribute', name: 'A', values: [LONG] } as const
    expect(visible([whole]).admits(document({ attributes: { A: LONG } }))).toBe(true)
  })

  test('of many conditions on a product of many facets looks at each value once', () => {
    let reads = 0
    const get = () => {
      reads++
      return 'v'
    }
    const facets: Record<string, string> = {}
    for (let at = 0; at < 1_000; at++) {
      Object.defineProperty(facets, `f${at}`, { enumerable: true, get })
    }
    const excluded = Array.from({ length: 1_000 }, (_, at) => ({
      ...({ type: 'facet', name: `g${at}` } as const),
      values: ['v'],
    }))
    const product = document({ facets })
    reads = 0
    expect(visible([], false, excluded).admits(product)).toBe(true)
    expect(reads).toBe(1_000)
  })

  test('applies to a product read alone, and to annotations of its organization', () => {
    const tagged = { ...noAnnotations, tags: ['shop'] }
    const { admits } = visible([condition('tag', 'shop')])
    expect(admits({ annotations: { acme: tagged } })).toBe(true)
    expect(admits({ annotations: { other: tagged } })).toBe(false)
    expect(admits({})).toBe(false)
    expect(visible([condition('category', 'A')]).admits({ product: { category: 'A' } })).toBe(true)
  })
})

function member(name: string): string {
  return `product.${name}`
}
