import type { Contracts, Sending } from '../contract.ts'
import { drill } from '../world.ts'

const existing: Sending = async (world) => ({ path: await world.product() })
const unknown: Sending = async (world) => ({ path: [await world.shop(), 'missing'] })

const update = {
  ok: async (world) => ({ path: await world.product(), body: { msrp: 119 } }),
  fails: {
    400: async (world) => ({ path: await world.product(), body: { msrp: 'much' } }),
    404: async (world) => ({ path: [await world.shop(), 'missing'], body: {} }),
    412: async (world) => ({
      path: await world.product(),
      body: { msrp: 1 },
      headers: { 'if-match': '"99"' },
    }),
  },
} satisfies Contracts[string]

/** The contract of a preview of what a search finds. */
const selection = (more: object): Contracts[string] => ({
  ok: async (world) => {
    const [catalog] = await world.product()
    return { path: [catalog], body: { search: { category: 'Drills' }, ...more } }
  },
  fails: {
    400: async (world) => ({
      path: [await world.shop()],
      body: { search: { pageSize: -1 }, ...more },
    }),
    404: { path: ['no-such-catalog'], body: { search: {}, ...more } },
    409: async (world) => ({
      path: [await world.shop()],
      body: { search: {}, token: 'of-another-look', ...more },
    }),
  },
})

export const contracts: Contracts = {
  'Create Product': {
    ok: async (world) => {
      const [catalog] = await world.product()
      return { path: [catalog], body: { ...drill, id: world.fresh('D-200') } }
    },
    fails: {
      400: async (world) => ({ path: [await world.shop()], body: { msrp: -1 } }),
      404: { path: ['no-such-catalog'], body: {} },
      409: async (world) => {
        const [catalog, id] = await world.product()
        return { path: [catalog], body: { id } }
      },
    },
  },
  'Write Products': {
    ok: async (world) => {
      const [catalog, id] = await world.product()
      return {
        path: [catalog],
        body: {
          operations: [
            { action: 'update', id, product: { msrp: 119 } },
            { action: 'upsert', id: world.fresh('D-300'), product: { name: 'Drill press' } },
            { action: 'delete', id: 'no-such-product' },
          ],
        },
        headers: { 'idempotency-key': world.fresh('batch') },
      }
    },
    fails: {
      400: async (world) => ({ path: [await world.shop()], body: { operations: [] } }),
      404: { path: ['no-such-catalog'], body: { operations: [{ action: 'delete', id: 'x' }] } },
      409: async (world) => {
        const catalog = await world.shop()
        const headers = { 'idempotency-key': world.fresh('batch') }
        const line = `POST /api/Catalog/${encodeURIComponent(catalog)}/products/batch`
        const body = { operations: [{ action: 'delete', id: 'x' }] }
        await world.mine(line, { headers, body })
        return { path: [catalog], headers, body: { operations: [{ action: 'delete', id: 'y' }] } }
      },
    },
  },
  'Write Offers': {
    ok: async (world) => {
      const [catalog, id] = await world.product()
      const offers = [{ id, cost: 84.9, onHand: 7 }]
      const headers = { 'idempotency-key': world.fresh('offers') }
      return { path: [catalog], headers, body: { vendorName: 'Oakvale Supply', offers } }
    },
    fails: {
      400: async (world) => ({ path: [await world.shop()], body: { offers: [] } }),
      404: { path: ['no-such-catalog'], body: { offers: [{ id: 'x', vendorName: 'y' }] } },
      409: async (world) => {
        const catalog = await world.shop()
        const headers = { 'idempotency-key': world.fresh('offers') }
        const line = `POST /api/Catalog/${encodeURIComponent(catalog)}/offers`
        await world.mine(line, { headers, body: { offers: [{ id: 'x', vendorName: 'y' }] } })
        return { path: [catalog], headers, body: { offers: [{ id: 'z', vendorName: 'y' }] } }
      },
    },
  },
  'Delete Products': selection({}),
  'Update Products': selection({ product: { segment: 'Power tools' } }),
  'Get Product': { ok: existing, fails: { 404: unknown } },
  'Update Product': update,
  'Update Product (POST)': update,
  'Retrieve Products': {
    ok: async (world) => {
      const [catalog, id] = await world.product()
      return { path: [catalog], body: { ids: [id] } }
    },
    fails: {
      400: async (world) => ({ path: [await world.shop()], body: { ids: 'D-100' } }),
      404: { path: ['no-such-catalog'], body: { ids: ['D-100'] } },
    },
  },
  'Delete Product': {
    ok: existing,
    fails: {
      404: unknown,
      412: async (world) => ({ path: await world.product(), headers: { 'if-match': '"99"' } }),
    },
  },
  'Get Product Logs': {
    ok: existing,
    fails: {
      400: async (world) => ({ path: await world.product(), query: { page: '-1' } }),
      404: { path: ['no-such-catalog', 'D-100'] },
    },
  },
}
