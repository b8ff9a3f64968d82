import { describe, expect, test } from 'vitest'
import { productAt } from '../../../bench/catalog/product.ts'
import { peerCatalog, vendureProduct } from '../../../bench/peer/catalog.ts'
import { readOptions } from '../../../bench/peer/options.ts'
import { kindLines, type PeerFigures } from '../../../bench/peer/report.ts'
import { turnOrder } from '../../../bench/peer/turns.ts'
import { searchWire } from '../../../bench/peer/vendure.ts'

const figures: PeerFigures = {
  name: 'Vendure',
  aims: { facets: 5, list: 5 },
  rate: 88.4,
  p50: 90,
  p95: 120,
  p99: 140,
  cpu: { elasticsearch: 16_000, service: 5_700, caller: 60 },
  behind: 2.4,
  interval: { low: 2.3, high: 2.5 },
  errors: 0,
  bytes: 9_000,
  found: 1_200,
}

describe('the comparison with another search engine', () => {
  test('lets each side begin equally often', () => {
    expect([0, 1, 2].map((turn) => turnOrder(3, turn))).toEqual([
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
    ])
  })

  test('maps product, maker and category to the facets that it supports', () => {
    const product = productAt(0)
    const { id, name, description, manufacturerPartNumber, manufacturer, category } = product
    const sold = vendureProduct(product)
    expect(sold).toMatchObject({ id, name, description, sku: manufacturerPartNumber })
    expect(sold.price).toBe(Math.round(product.msrp * 100))
    expect(sold.facets).toContainEqual(['Manufacturer', manufacturer])
    expect(sold.facets).toContainEqual(['Category', category])
    expect(sold.facets).toHaveLength(Object.keys(product.facets).length + 3)
  })

  test('omits fields that a product lacks', () => {
    const { facets, description, price } = vendureProduct({
      ...productAt(0),
      description: null,
      manufacturer: null,
      subCategory: null,
      msrp: null,
    })
    expect(facets.map(([name]) => name)).not.toContain('Manufacturer')
    expect([description, price]).toEqual(['', 0])
  })

  test('sends both only words, the same in every run', async () => {
    const options = { ...readOptions([]), products: 3, distinct: 4 }
    const { products, queries } = await peerCatalog(options)
    expect(products).toHaveLength(3)
    expect(new Set(queries).size).toBe(4)
    expect((await peerCatalog(options)).queries).toEqual(queries)
  })

  test('requests facets only if both have them', () => {
    const { body } = searchWire('drill', { take: 10, facets: false })
    expect(JSON.parse(String(body))).toMatchObject({
      variables: { input: { term: 'drill', take: 10 } },
    })
    expect(String(body)).not.toContain('facetValues')
  })

  test('reports how far behind a side is, and what failed', () => {
    const lines = kindLines({
      kind: 'facets',
      merged: false,
      queries: 65,
      peers: [{ ...figures, errors: 2 }],
    })
    expect(lines).toContain(
      '  Aisle is 2.40 times as fast as Vendure  95 % 2.30 to 2.50  target >= 5: MISSED',
    )
    expect(lines.at(-1)).toBe('  VOID: 2 requests of Vendure failed')
  })
})
