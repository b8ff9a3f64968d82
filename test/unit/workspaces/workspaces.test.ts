import { describe, expect, test } from 'vitest'
import { Forbidden } from '../../../src/errors.ts'
import { countingLines, isAbandoned } from '../../../src/workspaces/batches.ts'
import {
  detailsBy,
  itemOf,
  priceOf,
  withAddition,
  withDetails,
} from '../../../src/workspaces/lines.ts'
import { fitting } from '../../../src/workspaces/listing.ts'
import { totalsOf } from '../../../src/workspaces/totals.ts'
import type { Line, VerdictDocument } from '../../../src/workspaces/workspace.ts'
import { productOf } from '../../support/catalog.ts'

const line: Line = {
  id: 'i',
  workspace: 'w',
  username: 'ada',
  catalog: 'c',
  productId: 'p',
  quantity: 2,
  price: 0.1,
  snapshot: {
    name: null,
    manufacturer: null,
    manufacturerPartNumber: null,
    image: null,
    unspsc: null,
    vendor: null,
    vendorPartNumber: null,
  },
  added: '2026-01-01T00:00:00.000Z',
  position: 0,
}

describe('what counts of items that a batch wrote', () => {
  const since = '2026-01-01T00:00:00.000Z'
  const settled = itemOf(line)
  const changed = itemOf({ ...line, quantity: 9 }, { batch: 'b', before: line, since })
  const added = itemOf({ ...line, id: 'j', quantity: 7 }, { batch: 'b', before: null, since })
  const verdict = (text: VerdictDocument['verdict']): VerdictDocument => ({
    kind: 'verdict',
    id: 'b',
    workspace: 'w',
    verdict: text,
    since,
  })
  const quantities = (found: Parameters<typeof countingLines>[0]) =>
    countingLines(found).map(({ quantity }) => quantity)

  test('without a batch: the item', () => {
    expect(quantities([settled])).toEqual([2])
    expect(countingLines([settled])).toEqual([line])
  })

  test('under way or dropped: what was before', () => {
    expect(quantities([changed, added])).toEqual([2])
    expect(quantities([changed, verdict('dropped'), added])).toEqual([2])
    expect(quantities([changed, { ...verdict('kept'), id: 'other' }, added])).toEqual([2])
  })

  test('kept: all of it', () => {
    expect(quantities([changed, added, verdict('kept')])).toEqual([9, 7])
  })

  test('abandoned only after its request must have ended', () => {
    const past = (ms: number) => new Date(new Date(since).getTime() + ms)
    expect(isAbandoned(changed, past(4_999))).toBe(false)
    expect(isAbandoned(changed, past(5_000))).toBe(true)
    expect(isAbandoned(settled, past(1e9))).toBe(false)
  })
})

describe('a line', () => {
  const product = productOf({ id: 'p', msrp: 9, vendors: [{ vendorName: 'v', cost: 8 }] }, 'c')
  const now = new Date('2026-02-02T00:00:00.000Z')
  const asked = { workspace: 'w', username: 'bob', product, now }

  test('that is new has quantity 1 and the product’s price', () => {
    expect(withAddition(undefined, { ...asked, details: {} })).toMatchObject({
      productId: 'p',
      username: 'bob',
      quantity: 1,
      price: 8,
      added: now.toISOString(),
      snapshot: { vendor: 'v' },
    })
  })

  test('that is there keeps who added it when, and what is not said', () => {
    expect(withAddition(line, { ...asked, details: { quantity: 3 } })).toEqual({
      ...line,
      quantity: 3,
    })
    expect(withAddition(line, { ...asked, details: {} })).toBe(line)
    expect(withDetails(line, { quantity: 2, price: 0.1 })).toBe(line)
  })

  test('of a punchout session keeps its price, or has the product’s', () => {
    const by = (session: Parameters<typeof detailsBy>[0]['session'], price?: number) => ({
      ...asked,
      details: detailsBy({ session }, { price, quantity: 5 }),
    })
    const shop = { id: 's', workspace: 'w' }
    expect(withAddition(undefined, by(undefined, 7))).toMatchObject({ price: 7, quantity: 5 })
    expect(withAddition(undefined, by(shop, 8))).toMatchObject({ price: 8, quantity: 5 })
    expect(withAddition(undefined, by(shop))).toMatchObject({ price: 8, quantity: 5 })
    expect(withAddition(line, by(shop, 0.1))).toEqual({ ...line, quantity: 5 })
    expect(() => withAddition(undefined, by(shop, 7))).toThrow(Forbidden)
    expect(() => withAddition(line, by(shop, 8))).toThrow(Forbidden)
    expect(() => withDetails({ ...line, price: null }, by(shop, 0).details)).toThrow(Forbidden)
  })

  test('costs the cheapest offer, else msrp where there are no offers', () => {
    const price = (vendors: { vendorName: string; cost?: number | null }[]) =>
      priceOf(productOf({ id: 'p', msrp: 9, vendors }, 'c')).price
    expect(
      price([
        { vendorName: 'a', cost: 5 },
        { vendorName: 'b', cost: 0 },
      ]),
    ).toBe(0)
    expect(price([{ vendorName: 'a', cost: null }])).toBeNull()
    expect(price([])).toBe(9)
  })
})

test('totals have no dust of binary fractions, and items without a price count nothing', () => {
  expect(totalsOf([line, { quantity: 1, price: 0.1 }, { quantity: 4, price: null }])).toEqual({
    items: 3,
    quantity: 7,
    price: 0.3,
  })
})

test('the first workspaces that fit are listed with all their items', () => {
  const sizes = [
    { id: 'a', items: 3 },
    { id: 'none', items: 0 },
    { id: 'large', items: 6 },
    { id: 'b', items: 2 },
  ]
  expect(fitting(sizes, 5)).toEqual(['a', 'b'])
})
