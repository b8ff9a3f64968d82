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
