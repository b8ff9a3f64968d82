import { expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import type { Context } from '../../../src/operation.ts'
import type { CatalogProduct } from '../../../src/products/references.ts'
import { storeOffers } from '../../../src/realtime/store-offers.ts'
import type { Vendor } from '../../../src/realtime/vendors.ts'
import { item } from './make.ts'

test('a family with many new offers leaves room for those of others', async () => {
  const refused: string[] = []
  // Nothing is ever read, so all of them wait.
  const elastic = {
    indexName: (kind: string) => kind,
    client: { get: () => new Promise(() => {}) },
  }
  const store = (id: string, parent: string | null, count: number) => {
    const ctx = {
      elastic,
      organization: { id, parent },
      caller: {},
      clock: { now: () => new Date(0) },
      log: { warn: () => void refused.push(id) },
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
    void storeOffers(ctx, { name: 'V', installed } as unknown as Vendor, answered)
  }
  const half = limits.realtimeAnswers / 2
  store('north', 'acme', half)
  store('south', 'acme', half)
  store('other', null, 10)
  await expect.poll(() => refused.length).toBeGreaterThan(half - 10)
  expect(new Set(refused)).toEqual(new Set(['south']))
})
