import { describe, expect, test } from 'vitest'
import {
  type Point,
  pointsOf,
  pointsOfEntry,
  seriesOf,
} from '../../../src/products/insights/points.ts'
import { changedFields } from '../../../src/products/patch.ts'
import { offer, product } from './make.ts'

const origin = {
  change: 'c1',
  catalog: 'c',
  productId: 'p',
  manufacturerPartNumber: 'M-1',
  date: '2026-02-03T04:05:06.000Z',
  version: 2,
}
const short = ({ vendor, price, inStock, onHand, daily }: ReturnType<typeof pointsOf>[number]) => [
  vendor,
  price,
  inStock,
  onHand,
  daily ? 'daily' : 'price',
]

describe('pointsOf', () => {
  test('returns offers that changed in price or stock, were added or removed', () => {
    const before = [
      offer('same', { cost: 1, onHand: 5, inStock: true }),
      offer('dearer', { cost: 1 }),
      offer('sold', { cost: 1, onHand: 5, inStock: true }),
      offer('renamed', { cost: 1, name: 'Old' }),
      offer('gone', { cost: 7, onHand: 1, inStock: true }),
    ]
    const after = [
      offer('same', { cost: 1, onHand: 5, inStock: true }),
      offer('dearer', { cost: 2 }),
      offer('sold', { cost: 1, onHand: 0 }),
      offer('renamed', { cost: 1, name: 'New' }),
      offer('came', { cost: 3, onHand: 2, inStock: true }),
      offer('nothing to say'),
    ]
    expect(pointsOf({ before, after }, origin).map(short)).toEqual([
      ['dearer', 2, false, null, 'price'],
      ['sold', 1, false, 0, 'daily'],
      ['came', 3, true, 2, 'price'],
      ['gone', null, false, null, 'price'],
    ])
  })

  test('returns what a chart shows, with an id that the same change gives again', () => {
    const offers = { before: [], after: [offer('a', { cost: 1, vendorPartNumber: 'V-1' })] }
    const [point] = pointsOf(offers, origin)
    expect(point).toEqual({
      id: expect.stringMatching(/^[\w-]{43}$/),
      catalog: 'c',
      productId: 'p',
      vendor: 'a',
      vendorPartNumber: 'V-1',
      manufacturerPartNumber: 'M-1',
      date: origin.date,
      price: 1,
      inStock: false,
      onHand: null,
      version: 2,
      daily: false,
    })
    const id = (change: string, date: string) =>
      pointsOf(offers, { ...origin, change, date })[0]!.id
    expect(id('c1', '2026-02-03T04:05:07.000Z')).toBe(point!.id)
    expect(id('c2', origin.date)).not.toBe(point!.id)
  })

  test('uses one id per day for the stock of an offer', () => {
    const id = (vendor: string, change: string, date: string) => {
      const before = [offer(vendor, { onHand: 1 })]
      const after = [offer(vendor, { onHand: 2 })]
      return pointsOf({ before, after }, { ...origin, change, date })[0]!.id
    }
    const first = id('a', 'c1', '2026-02-03T00:00:00.000Z')
    expect(id('a', 'c2', '2026-02-03T23:59:59.999Z')).toBe(first)
    expect(id('a', 'c1', '2026-02-04T00:00:00.000Z')).not.toBe(first)
    expect(id('b', 'c1', '2026-02-03T00:00:00.000Z')).not.toBe(first)
  })
})

describe('pointsOfEntry', () => {
  const entry = {
    id: 'e1',
    catalog: 'c',
    productId: 'p',
    version: 2,
    updatedBy: 'x',
    source: 'api' as const,
    timestamp: origin.date,
  }

  test('reads offers from a log entry', () => {
    const changes = changedFields(
      product({ vendors: [offer('a', { cost: 1 }), offer('b', { cost: 5 })] }),
      product({ vendors: [offer('a', { cost: 2 }), offer('b', { cost: 5 })] }),
    )
    expect(pointsOfEntry({ ...entry, changes }, null).map(short)).toEqual([
      ['a', 2, false, null, 'price'],
    ])
  })

  test('returns nothing for an entry without offers', () => {
    const changes = [{ field: 'name', before: 'A', after: 'B' }]
    expect(pointsOfEntry({ ...entry, changes }, null)).toEqual([])
  })
})

describe('seriesOf', () => {
  const at = (date: string, price: number, fields: Partial<Point> = {}): Point => ({
    id: `${fields.vendor ?? 'a'} ${date} ${price}`,
    catalog: 'c',
    productId: 'p',
    vendor: 'a',
    vendorPartNumber: null,
    manufacturerPartNumber: null,
    date,
    price,
    inStock: false,
    onHand: null,
    version: 1,
    ...fields,
  })
  const prices = (points: Point[]) => seriesOf(points).map(({ vendor, price }) => [vendor, price])

  test('is ordered by time, without equal consecutive values', () => {
    const points = [
      at('2026-01-04', 2),
      at('2026-01-01', 1),
      at('2026-01-03', 2),
      at('2026-01-02', 1, { vendor: 'b' }),
      at('2026-01-05', 0, { version: 9 }),
      at('2026-01-05', 1, { version: 8 }),
    ]
    expect(prices(points)).toEqual([
      ['a', 1],
      ['b', 1],
      ['a', 2],
      ['a', 1],
      ['a', 0],
    ])
  })

  test('uses the latest point of each id', () => {
    const points = [at('2026-01-01', 3, { id: 'day' }), at('2026-01-02', 2, { id: 'day' })]
    expect(prices(points)).toEqual([['a', 2]])
  })
})
