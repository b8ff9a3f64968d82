import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Invalid } from '../../../src/errors.ts'
import { limits } from '../../../src/limits.ts'
import type { Context } from '../../../src/operation.ts'
import type { CatalogProduct } from '../../../src/products/references.ts'
import { storeOffers } from '../../../src/realtime/store-offers.ts'
import type { Vendor } from '../../../src/realtime/vendors.ts'
import { item } from './make.ts'

/** Stores new offers of an organization, in an Elasticsearch that answers as `get` does. */
function storing(get: () => Promise<never>, { hasOthers = false } = {}) {
  const refused: string[] = []
  const elastic = { indexName: (kind: string) => kind, client: { get } }
  const store = (id: string, parent: string | null, count: number, vendor = 'V') => {
    const ctx = {
      elastic,
      organization: { id, parent },
      caller: {},
      clock: { now: () => new Date(0) },
      log: { warn: () => void refused.push(id) },
      requests: { hasOthers: () => hasOthers },
      background: { run: (_: string, work: () => Promise<void>) => work() !== undefined },
    } as unknown as Context
    const settings = { vendor: 'V' }
    const installed = { organization: id, level: 'organization', settings, username: 'u' }
    const answered = Array.from({ length: count }, (_, at) => ({
      asked: {
        scope: { owner: id, name: 'c', id: 'c' },
        product: { id: `p${at}`, vendors: [] },
      } as unknown as CatalogProduct,
      result: { item: item({ cost: 1 }), error: null },
    }))
    return storeOffers(ctx, { name: vendor, key: vendor, installed } as unknown as Vendor, answered)
  }
  return { store, refused }
}

test('a family with many new offers leaves room for those of others', async () => {
  // Nothing is ever read, so all of them wait.
  const { store, refused } = storing(() => new Promise(() => {}))
  const half = limits.realtimeAnswers / 2
  void store('north', 'acme', half)
  void store('south', 'acme', half)
  void store('other', null, 10)
  await expect.poll(() => refused.length).toBeGreaterThan(half - 10)
  expect(new Set(refused)).toEqual(new Set(['south']))
})

test('one product at a time is written, with rests, while others are active', async () => {
  const began: number[] = []
  const get = async () => {
    began.push(performance.now())
    await sleep(50)
    throw new Error('refused')
  }
  const { store } = storing(get, { hasOthers: true })
  await store('busy', null, 2)
  expect(began[1]! - began[0]!).toBeGreaterThan(95)
})

const VENDORS = ['A', 'B', 'C', 'D', 'E']

test('offers of many vendors for a product that waits are one write', async () => {
  let reads = 0
  const { store, refused } = storing(async () => {
    reads++
    throw new Error('refused')
  })
  await Promise.all(VENDORS.map((vendor) => store('busy', null, 20, vendor)))
  expect([reads, refused.length]).toEqual([20, 20])
})

test('offers that cannot be stored together are stored one by one', async () => {
  let reads = 0
  const { store, refused } = storing(async () => {
    reads++
    throw new Invalid('A product may have up to 3 offers.')
  })
  await Promise.all(VENDORS.map((vendor) => store('busy', null, 2, vendor)))
  expect([reads, refused.length]).toEqual([12, 10])
})
