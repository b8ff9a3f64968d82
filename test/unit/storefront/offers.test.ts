import { expect, test } from 'vitest'
import type { Product } from '../../../storefront/src/shop/types.ts'
import { dealOf } from '../../../storefront/src/ui/offers.ts'

const product = (vendors: readonly object[], msrp: number | null = null) =>
  ({ vendors, msrp }) as unknown as Product

test('a summary has the cheapest offer in stock, with its quantity', () => {
  const offers = [
    { cost: 55.34, onHand: 0, inStock: false },
    { cost: 61, onHand: 5, inStock: true },
    { cost: 58.1, onHand: 32, inStock: true },
  ]
  expect(dealOf(product(offers))).toEqual({
    price: 58.1,
    isLeast: true,
    vendors: 3,
    onHand: 32,
    inStock: true,
  })
})

test('a summary has the cheapest offer if none is in stock, and the list price without offers', () => {
  const offers = [{ cost: 7, onHand: null, inStock: false }]
  expect(dealOf(product(offers))).toEqual({
    price: 7,
    isLeast: false,
    vendors: 1,
    onHand: 0,
    inStock: false,
  })
  const none = { price: 9, isLeast: false, vendors: 0, onHand: 0, inStock: false }
  expect(dealOf(product([], 9))).toEqual(none)
})

test('a price list in effect determines the price, whatever offers cost', () => {
  const offers = [
    { cost: 7, onHand: 3, inStock: true },
    { cost: 8, onHand: 1, inStock: true },
  ]
  const priced = (prices: readonly object[]) => ({ ...product(offers, 9), prices }) as Product
  const tiers = [
    { price: 6.5, quantityFrom: 1 },
    { price: 6, quantityFrom: 10 },
  ]
  const deal = { isLeast: false, vendors: 2, onHand: 3, inStock: true }
  expect(dealOf(priced(tiers))).toEqual({ price: 6.5, ...deal })
  expect(dealOf(priced([]))).toEqual({ price: undefined, ...deal })
})
