import { expect, test } from 'vitest'
import type { Context } from '../../../src/operation.ts'
import type { CatalogProduct } from '../../../src/products/references.ts'
import { askVendors, realtimePlaces } from '../../../src/realtime/ask-vendors.ts'
import type { Vendor } from '../../../src/realtime/vendors.ts'

/** A vendor whose registration is gone: a call of it fails. */
const vendor = (name: string) =>
  ({
    name,
    key: name,
    valueLength: 0,
    installed: { settings: { catalogFilter: [] } },
  }) as unknown as Vendor

test('a request holds its place except while it waits for vendors', async () => {
  let questions = 0
  const events: [string, number][] = []
  const products = ['a', 'b', 'c'].map((id) => ({
    scope: { owner: 'shop', name: 'main' },
    get product() {
      questions++
      return { id, mpn: id, manufacturerPartNumber: id, vendors: [] }
    },
  })) as unknown as CatalogProduct[]
  const ctx = {
    elastic: {},
    signal: new AbortController().signal,
    clock: { now: () => new Date(0) },
    leavePlace: () => void events.push(['left', questions]),
    retakePlace: async () => void events.push(['taken again', questions]),
  } as unknown as Context
  const answers = await askVendors(ctx, {
    action: 'run',
    additionalFields: {},
    workspace: null,
    readShared: async () => ({}),
    vendors: [vendor('Oakvale'), vendor('Tidewell')],
    products,
  })
  expect(answers.map((one) => [one.vendor.name, one.result.error])).toEqual([
    ...Array.from({ length: 3 }, () => ['Oakvale', 'Extension not found.']),
    ...Array.from({ length: 3 }, () => ['Tidewell', 'Extension not found.']),
  ])
  expect(events.map(([event]) => event)).toEqual(['left', 'taken again'])
  expect(questions).toBeGreaterThan(0)
  // The questions were asked before the place was left.
  expect(events).toEqual([
    ['left', questions],
    ['taken again', questions],
  ])
})

test('many answers take more places, up to the share of one organization', () => {
  expect([0, 249, 250, 1_000, 10_000].map(realtimePlaces)).toEqual([1, 1, 2, 5, 8])
})
