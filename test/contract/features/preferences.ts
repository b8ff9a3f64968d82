import type { Contracts } from '../contract.ts'

export const contracts: Contracts = {
  'Get Saved Searches': {
    ok: async (world) => {
      const catalog = await world.shop()
      const body = { keywords: 'drill', inStock: true }
      await world.mine(`PUT /api/search/saved/drills?catalog=${catalog}`, { body })
      return {}
    },
  },
  'Save Search': {
    ok: async (world) => ({
      path: ['drills'],
      query: { catalog: await world.shop() },
      body: { keywords: 'drill', inStock: true },
    }),
    fails: {
      400: async (world) => ({
        path: ['drills'],
        query: { catalog: await world.shop() },
        body: { pageSize: 251 },
      }),
      404: { path: ['drills'], query: { catalog: 'no-such-catalog' }, body: {} },
    },
  },
  'Delete Saved Search': {
    ok: async (world) => {
      const name = world.fresh('drills')
      const line = `PUT /api/search/saved/${name}?catalog=${await world.shop()}`
      await world.mine(line, { body: { keywords: 'drill' } })
      return { path: [name] }
    },
    fails: { 404: { path: ['no-such-search'] } },
  },
  'Save Columns': {
    ok: { path: ['results'], body: ['name', 'price', 'vendor'] },
    fails: { 400: { path: ['results'], body: ['name', 'name'] } },
  },
  'Get Columns': {
    ok: async (world) => {
      await world.mine('PUT /api/organizations/current/columns/basket', { body: ['name'] })
      return { path: ['basket'] }
    },
  },
}
