import { describe, expect, test } from 'vitest'
import { offerAfter, onHandOf, withAnswer, withOffer } from '../../../src/realtime/offer.ts'
import { document, offer } from '../products/make.ts'
import { item } from './make.ts'

describe('the offer after a vendor’s answer', () => {
  const known = offer('v', {
    cost: 9,
    onHand: 4,
    inStock: true,
    vendorPartNumber: 'V-1',
    name: 'Drill',
    status: 'new',
  })

  test('has the returned values, and keeps the others', () => {
    expect(offerAfter(known, 'v', item({ cost: 8.5 }))).toEqual({ ...known, cost: 8.5 })
    expect(offerAfter(known, 'v', item({ onHand: 0, status: 'sold out' }))).toEqual({
      ...known,
      onHand: 0,
      inStock: false,
      status: 'sold out',
    })
    expect(offerAfter(known, 'v', item({ description: 'Other' }))).toEqual(known)
  })

  test('is out of stock if the vendor no longer sells it', () => {
    expect(offerAfter(known, 'v', item({ active: false, onHand: 7 }))).toMatchObject({
      onHand: 0,
      inStock: false,
      cost: 9,
    })
  })

  test('is a new one for a vendor without an offer', () => {
    const answer = item({ cost: 5, onHand: 1, vendorPartNumber: 'V-2', description: 'A drill' })
    expect(offerAfter(undefined, 'v', answer)).toEqual({
      vendorName: 'v',
      vendorPartNumber: 'V-2',
      name: 'A drill',
      cost: 5,
      onHand: 1,
      inStock: true,
      status: null,
    })
    expect(offerAfter(undefined, 'v', item())).toEqual(offer('v'))
  })
})

test('stock is the total, else the sum of the warehouses that report one', () => {
  const warehouses = [3, null, 4].map((onHand, at) => ({
    warehouse: `w${at}`,
    onHand,
    inStockDate: null,
  }))
  expect(onHandOf(item({ onHand: 10, warehouses }))).toBe(10)
  expect(onHandOf(item({ warehouses }))).toBe(7)
  expect(onHandOf(item({ warehouses: warehouses.slice(1, 2) }))).toBeNull()
  const huge = { ...warehouses[0]!, onHand: Number.MAX_VALUE }
  expect(onHandOf(item({ warehouses: [huge, huge] }))).toBe(Number.MAX_VALUE)
})

test('an offer replaces only that of the same vendor', () => {
  const offers = [offer('a', { cost: 1 }), offer('b', { cost: 2 })]
  expect(withOffer(offers, offer('a', { cost: 3 })).map(({ cost }) => cost)).toEqual([3, 2])
  expect(withOffer(offers, offer('c')).map(({ vendorName }) => vendorName)).toEqual(['a', 'b', 'c'])
})

test('a product with the maximum number of vendors accepts no more', () => {
  const full = document({ vendors: Array.from({ length: 500 }, (_, n) => offer(`v${n}`)) })
  expect(withAnswer(full, 'another', item({ cost: 1 }))).toBeUndefined()
  expect(withAnswer(full, 'v7', item({ cost: 1 }))?.product.vendors[7]?.cost).toBe(1)
})
