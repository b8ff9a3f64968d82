import { describe, expect, test } from 'vitest'
import { Forbidden, NotFound } from '../../../src/errors.ts'
import { limits } from '../../../src/limits.ts'
import { parseProductKey } from '../../../src/products/product-key.ts'
import {
  emptyWorkspace,
  withAdditions,
  withField,
  withItemDetails,
  withoutItem,
} from '../../../src/workspaces/changes.ts'
import { detailsBy, priceOf, withAddition, withDetails } from '../../../src/workspaces/items.ts'
import { fitting } from '../../../src/workspaces/listing.ts'
import { mergedWorkspace } from '../../../src/workspaces/migration.ts'
import { totalsOf } from '../../../src/workspaces/totals.ts'
import type { StoredItem } from '../../../src/workspaces/workspace.ts'
import { productOf } from '../../support/catalog.ts'

const item: StoredItem = {
  id: 'i',
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
}

describe('an item', () => {
  const product = productOf({ id: 'p', msrp: 9, vendors: [{ vendorName: 'v', cost: 8 }] }, 'c')
  const now = new Date('2026-02-02T00:00:00.000Z')
  const asked = { username: 'bob', product, now }

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

  test('that exists keeps its creation, and fields absent from the request', () => {
    expect(withAddition(item, { ...asked, details: { quantity: 3 } })).toEqual({
      ...item,
      quantity: 3,
    })
    expect(withAddition(item, { ...asked, details: {} })).toBe(item)
    expect(withDetails(item, { quantity: 2, price: 0.1 })).toBe(item)
  })

  test('of a deleted product is replaced by a new one with the same id', () => {
    const bought = { ...item, isPriceSet: true, productCreated: '2026-01-01T00:00:00.000Z' }
    const next = { ...product, created: '2026-02-01T00:00:00.000Z' }
    const details = detailsBy({ session: { id: 's', workspace: 'w' } }, { quantity: 3 })
    const replaced = withAddition(bought, { ...asked, product: next, details })
    expect(replaced).toMatchObject({ quantity: 3, price: 8, snapshot: { vendor: 'v' } })
    expect(withAddition(replaced, { ...asked, product: next, details: {} })).toBe(replaced)
    expect(withAddition(item, { ...asked, product: next, details: {} })).toMatchObject({
      quantity: 1,
      price: 8,
    })
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
    expect(withAddition(item, by(shop, 0.1))).toEqual({ ...item, quantity: 5 })
    expect(() => withAddition(undefined, by(shop, 7))).toThrow(Forbidden)
    expect(() => withAddition(item, by(shop, 8))).toThrow(Forbidden)
    expect(() => withDetails({ ...item, price: null }, by(shop, 0).details)).toThrow(Forbidden)
  })

  test('of a punchout session costs what the list says for its quantity, whatever it cost before', () => {
    const line = (price: number, quantityFrom: number) => ({
      ...{ price, quantityFrom, validFrom: null, validTo: null },
    })
    const session = { id: 's', workspace: 'w' }
    const by = (bulk: number, quantity: number) =>
      detailsBy({ session }, { quantity, lines: [line(10, 1), line(bulk, 1_000)] })
    const many = withAddition(undefined, { ...asked, details: by(5, 1_000) })
    expect(many).toMatchObject({ quantity: 1_000, price: 5 })
    // The price of 1,000 pieces has changed since.
    expect(withDetails(many, by(5.2, 1))).toMatchObject({ quantity: 1, price: 10 })
    const agreed = withDetails(many, { price: 4 })
    expect(withDetails(agreed, by(5.2, 1))).toMatchObject({ quantity: 1, price: 4 })
    expect(withDetails(many, by(5.2, 1_000))).toMatchObject({ price: 5.2 })
  })

  test('costs the cheapest offer, or the msrp if no offer has a cost', () => {
    const price = (vendors: { vendorName: string; cost?: number | null }[]) =>
      priceOf(productOf({ id: 'p', msrp: 9, vendors }, 'c')).price
    expect(
      price([
        { vendorName: 'a', cost: 5 },
        { vendorName: 'b', cost: 0 },
      ]),
    ).toBe(0)
    expect(price([{ vendorName: 'a', cost: null }])).toBe(9)
    expect(price([])).toBe(9)
  })
})

test('totals have no rounding errors, and items without a price do not count', () => {
  expect(totalsOf([item, { quantity: 1, price: 0.1 }, { quantity: 4, price: null }])).toEqual({
    items: 3,
    quantity: 7,
    price: 0.3,
  })
})

describe('a workspace', () => {
  const empty = emptyWorkspace({ id: 'w', name: 'W', session: null, username: 'ada' })
  const product = (id: string) => productOf({ id, msrp: 2 }, 'c')
  const adding = (ids: readonly string[], quantity?: number) =>
    ids.map((id) => ({
      username: 'ada',
      product: product(id),
      details: { quantity },
      now: new Date(0),
    }))
  const two = withAdditions(empty, adding(['a', 'b']))

  test('has totals and products of its items, in the order of their addition', () => {
    expect(two.items.map(({ productId }) => productId)).toEqual(['a', 'b'])
    expect(two.totals).toEqual({ items: 2, quantity: 2, price: 4 })
    expect(two.products.map(parseProductKey)).toEqual([
      { catalog: 'c', productId: 'a' },
      { catalog: 'c', productId: 'b' },
    ])
    expect(withAdditions(two, adding(['c', 'a'], 5)).items.map((one) => one.quantity)).toEqual([
      5, 1, 5,
    ])
  })

  test('is the same object if nothing changes', () => {
    expect(withAdditions(two, adding(['b']))).toBe(two)
    expect(withItemDetails(two, two.items[0]!.id, { quantity: 1 })).toBe(two)
    expect(withField(two, { extensionId: 'e', key: 'k', value: null })).toBe(two)
  })

  test('refuses more items than the limit, but not changes of existing ones', () => {
    const many = Array.from({ length: limits.workspaceItems }, (_, n) => `p${n}`)
    const full = withAdditions(empty, adding(many))
    expect(() => withAdditions(full, adding(['p0', 'more']))).toThrow(
      'A workspace has at most 500 items.',
    )
    expect(withAdditions(full, adding(['p0'], 3)).totals.quantity).toBe(502)
  })

  test('refuses items above its size limit, but not changes of existing ones', () => {
    const long = (ids: string[], name: string) =>
      adding(ids).map((one) => ({ ...one, product: { ...one.product, name } }))
    const large = withAdditions(empty, long(['a'], 'x'.repeat(limits.workspaceItemBytes - 1_000)))
    expect(() => withAdditions(large, long(['b'], 'x'.repeat(1_000)))).toThrow(
      /The limit is 1048576\.$/,
    )
    expect(withAdditions(large, adding(['a'], 3)).totals.quantity).toBe(3)
  })

  test('removes an item once, even if a repeated attempt had removed it', () => {
    const [a] = two.items
    const one = withoutItem(two, a!.id, false)
    expect(one.totals).toEqual({ items: 1, quantity: 1, price: 2 })
    expect(() => withoutItem(one, a!.id, false)).toThrow(NotFound)
    expect(withoutItem(one, a!.id, true)).toBe(one)
  })

  test('keeps fields in order, each once', () => {
    const field = (extensionId: string, key: string, value: string | null) => ({
      extensionId,
      key,
      value,
    })
    const set = [field('b', 'k', '1'), field('a', 'z', '2'), field('a', 'k', '3')]
    const workspace = [...set, field('b', 'k', '4'), field('a', 'z', null)].reduce(withField, empty)
    expect(workspace.fields).toEqual([field('a', 'k', '3'), field('b', 'k', '4')])
    const large = withField(
      workspace,
      field('c', 'k', 'x'.repeat(limits.workspaceFieldBytes - 200)),
    )
    expect(() => withField(large, field('c', 'l', 'x'.repeat(200)))).toThrow(
      /The limit is 1048576\.$/,
    )
    expect(withField(large, field('c', 'k', 'y')).fields).toHaveLength(3)
  })
})

test('the first workspaces that fit are listed with all their items', () => {
  const sizes = [
    { id: 'a', items: 3 },
    { id: 'none', items: 0 },
    { id: 'large', items: 6 },
    { id: 'b', items: 2 },
  ]
  const summaries = sizes.map(({ id, items }) => ({
    id,
    name: id,
    totals: { items, quantity: items, price: 0 },
  }))
  expect(fitting(summaries, 5)).toEqual(['a', 'b'])
})

describe('a workspace stored in separate documents', () => {
  const workspace = {
    kind: 'workspace' as const,
    id: 'w',
    name: 'W',
    session: null,
    username: 'ada',
    deleted: null,
  }
  const old = (id: string, parts: object = {}) => ({
    kind: 'item' as const,
    ...item,
    id,
    position: 0,
    batch: null,
    before: null,
    ...parts,
  })
  const before = { ...item, id: 'changed', position: 0, quantity: 1 }

  test('is merged into one: items in the order of their addition, with batches as decided', () => {
    const merged = mergedWorkspace(workspace, [
      old('third', { position: 2 }),
      old('second', { position: 1 }),
      old('first', { added: '2025-12-31T23:59:59.000Z' }),
      old('kept', { batch: 'b1', position: 3 }),
      old('pending', { batch: 'b2' }),
      old('dropped', { batch: 'b3' }),
      old('changed', { batch: 'b3', before, quantity: 9 }),
      { kind: 'verdict', id: 'b1', verdict: 'kept' },
      { kind: 'verdict', id: 'b3', verdict: 'dropped' },
      { kind: 'field', extension: 'e', field: 'k', value: 'v' },
    ])!
    expect(merged.items.map(({ id, quantity }) => [id, quantity])).toEqual([
      ['first', 2],
      ['changed', 1],
      ['second', 2],
      ['third', 2],
      ['kept', 2],
    ])
    expect(merged.items[0]).toEqual({ ...item, id: 'first', added: '2025-12-31T23:59:59.000Z' })
    expect(merged.fields).toEqual([{ extensionId: 'e', key: 'k', value: 'v' }])
    expect(merged.totals).toEqual({ items: 5, quantity: 9, price: 0.9 })
  })

  test('is omitted if it was deleted', () => {
    expect(mergedWorkspace({ ...workspace, deleted: item.added }, [old('i')])).toBeUndefined()
  })
})
