import { describe, expect, test } from 'vitest'
import { expectationOf } from '../../../../bench/relevance/expected.ts'
import { type CatalogProduct, productsOf } from '../../../../bench/relevance/products.ts'
import {
  type AnsweredShopper,
  expectedIn,
  readShoppers,
  scoreOf,
  shopperQueries,
  shoppersRow,
} from '../../../../bench/relevance/shoppers.ts'

const monitor: CatalogProduct = {
  id: 'monitor-0007',
  name: 'Tessaro Linea 27" Monitor',
  description: null,
  manufacturer: 'Tessaro',
  manufacturerPartNumber: '27ICS/62578',
  subCategory: 'Office Monitors',
  upcs: [],
  vendors: [{ vendorPartNumber: '1', inStock: false }],
  attributes: { Inputs: 'HDMI, USB-C' },
  facets: { Color: 'Silver' },
  filters: { 'Refresh rate (Hz)': 144 },
}
const cover = { ...monitor, id: '1', name: 'Cherry keyboard cover' }
const keyboard = { ...monitor, id: '2', name: 'Cherry G80 keyboard USB' }

describe('the expectation of a query', () => {
  test.each([
    ['monitor', true],
    ['notebook', false],
    ['monitor; Color=Silver', true],
    ['monitor; Color=Black', false],
    ['monitor; Color!=Black', true],
    ['monitor; Inputs*=USB-C', true],
    ['monitor; manufacturerPartNumber^=27ICS', true],
    ['monitor; manufacturerPartNumber^=62578', false],
    ['monitor; Refresh rate (Hz)=144', true],
    ['monitor; subCategory=Office Monitors; Color=Black', false],
    ['notebook; Color=Silver | monitor; Color=Silver', true],
    ['monitor; inStock=true', false],
    ['monitor; Size=1', false],
    ['nothing', false],
  ])('%s', (text, expected) => {
    expect(expectationOf(text)(monitor)).toBe(expected)
  })

  test('is the title for real products, and excludes accessories', () => {
    expect([cover, keyboard].map(expectationOf('keyboard'))).toEqual([false, true])
  })

  test('is refused if its condition is invalid', () => {
    expect(() => expectationOf('monitor; silver')).toThrow('silver: no condition')
  })
})

describe('the score of an answer', () => {
  const isEven = (id: string) => Number(id) % 2 === 0
  const found = (...ids: string[]) => ({ ids, total: ids.length })

  test('is the share of relevant products among the first ten', () => {
    expect(scoreOf(found('2', '3', '4', '6'), isEven, 40)).toMatchObject({
      share: 0.3,
      first: true,
    })
    expect(scoreOf(found('1', '2'), isEven, 2)).toMatchObject({ share: 0.5, first: false })
    expect(scoreOf(found(), isEven, 3)).toEqual({ share: 0, first: false, ndcg: 0 })
  })

  test('has nDCG@10, in which each expected product counts as 1', () => {
    expect(scoreOf(found('2', '4'), isEven, 2).ndcg).toBe(1)
    // (1 / log2 3) / (1 + 1 / log2 3)
    expect(scoreOf(found('1', '2'), isEven, 2).ndcg).toBeCloseTo(0.3869, 4)
    expect(scoreOf(found(), isEven, 0).ndcg).toBeNaN()
  })

  test('is 1 without results if none are expected, else 0', () => {
    expect(scoreOf(found(), isEven, 0)).toMatchObject({ share: 1, first: true })
    expect(scoreOf(found('1'), isEven, 0)).toMatchObject({ share: 0, first: false })
  })
})

test('queries are reported by set and kind, and failing ones by name', () => {
  const answered = (query: string, set: 'tune' | 'held', share: number, first = true) =>
    ({
      ...{ query, set, catalog: 'demo', language: 'en', expected: 'monitor', kind: 'unit' },
      ...{ total: 1, firstHit: 'A' },
      scores: {
        aisle: { share, first, ndcg: share },
        plain: { share: 0, first: false, ndcg: Number.NaN },
      },
    }) satisfies AnsweredShopper
  const row = shoppersRow([
    answered('a', 'tune', 1),
    answered('b', 'tune', 0.4),
    answered('c', 'held', 0.9, false),
  ])
  expect(row.sets.tune).toMatchObject({
    queries: 2,
    share: { aisle: 0.7, plain: 0 },
    first: { aisle: 1, plain: 0 },
    ndcg: { aisle: { mean: 0.7 } },
  })
  expect(row.catalogs).toMatchObject([
    { set: 'tune', catalog: 'demo', queries: 2 },
    { set: 'held', catalog: 'demo', ndcg: { aisle: { mean: 0.9 } } },
  ])
  expect(row.kinds.map(({ kind, set, queries }) => [kind, set, queries])).toEqual([
    ['unit', 'tune', 2],
    ['unit', 'held', 1],
  ])
  expect(row.failed.map(({ query }) => query)).toEqual(['b', 'c'])
})

describe('the file of shopper queries', () => {
  test('is refused if a line is invalid', () => {
    expect(() => readShoppers('set\ntune\tdemo\tlamp\ten\tlamp')).toThrow('line 2')
    expect(() => readShoppers('set\nx\tdemo\tlamp\ten\tlamp\tword')).toThrow('line 2')
  })

  test('has at least 150 queries of the demo, each once, that expect existing products', async () => {
    const queries = (await shopperQueries()).filter(({ catalog }) => catalog === 'demo')
    const products = await productsOf('demo', undefined)
    expect(queries.length).toBeGreaterThanOrEqual(150)
    expect(new Set(queries.map(({ query }) => query)).size).toBe(queries.length)
    for (const query of queries) expect(() => expectedIn(query, products)).not.toThrow()
  })

  test('holds out a part of each kind', async () => {
    const written = (await shopperQueries()).filter(({ set }) => set !== 'unseen')
    const kinds = Map.groupBy(written, ({ kind }) => kind)
    for (const [kind, queries] of kinds) {
      const held = queries.filter(({ set }) => set === 'held').length / queries.length
      expect([kind, held > 0.2 && held < 0.5]).toEqual([kind, true])
    }
  })
})
