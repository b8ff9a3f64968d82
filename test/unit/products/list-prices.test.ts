import { describe, expect, test } from 'vitest'
import {
  listPriceFields,
  type PriceLine,
  pricesIn,
  withLines,
} from '../../../src/products/list-prices.ts'
import { nextDocument } from '../../../src/products/next-document.ts'
import type { ProductDocument } from '../../../src/products/product.ts'
import { document, stamp } from './make.ts'

const JUNE = '2026-06-01T00:00:00.000Z'
const JULY = '2026-07-01T00:00:00.000Z'
const line = (price: number, fields: Partial<PriceLine> = {}): PriceLine => ({
  price,
  quantityFrom: 1,
  validFrom: null,
  validTo: null,
  ...fields,
})
const LINES = [
  line(5, { validTo: JUNE }),
  line(6, { validFrom: JUNE }),
  line(4, { quantityFrom: 9 }),
]

const priced = (at: string, lines: readonly PriceLine[] = LINES): ProductDocument =>
  withLines(document(), { list: 'gold', slot: 's3', at }, lines)

describe('List prices of a product', () => {
  test('are indexed by the current price for one piece, until the next one starts', () => {
    const { listPrices } = priced('2026-05-01T00:00:00.000Z')
    expect(listPriceFields(listPrices)).toEqual({
      listPrices: { s3: 5 },
      priceLists: ['gold'],
      pricesDue: Date.parse(JUNE),
    })
    expect(listPriceFields({ ...listPrices!, asOf: JUNE })).toEqual({
      listPrices: { s3: 6 },
      priceLists: ['gold'],
      pricesDue: undefined,
    })
    expect(listPriceFields(undefined)).toEqual({})
  })

  test('are found by their list, whether or not one is currently valid', () => {
    const { listPrices } = priced(JUNE, [line(5, { validFrom: JULY })])
    expect(listPriceFields(listPrices)).toEqual({
      listPrices: {},
      priceLists: ['gold'],
      pricesDue: Date.parse(JULY),
    })
  })

  test('are due when a quantity price starts, which is returned though not indexed', () => {
    const { listPrices } = priced(JUNE, [line(5), line(4, { quantityFrom: 9, validFrom: JULY })])
    expect(listPriceFields(listPrices)).toMatchObject({ pricesDue: Date.parse(JULY) })
  })

  test('are returned as of a point in time, for the requested list', () => {
    const { listPrices } = priced(JUNE)
    const wanted = { list: 'gold', slot: 's3', at: JULY }
    expect(pricesIn(listPrices, wanted)).toEqual(LINES.slice(1))
    expect(pricesIn(listPrices, { ...wanted, list: 'another of this slot' })).toEqual([])
    expect(pricesIn(undefined, wanted)).toEqual([])
  })

  test('leave no trace in a product when the last one is removed', () => {
    expect(withLines(priced(JUNE), { list: 'gold', slot: 's3', at: JULY }, [])).toEqual(document())
  })

  test('are kept when the product is written', () => {
    const before = priced(JUNE)
    const product = { ...before.product, name: 'Drill' }
    const next = nextDocument(before, { ...before, product }, { stamp: stamp(), now: new Date(0) })
    expect(next?.listPrices).toEqual(before.listPrices)
  })
})
