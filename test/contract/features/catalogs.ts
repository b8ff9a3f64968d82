import type { Contracts } from '../contract.ts'

export const contracts: Contracts = {
  'Get Catalogs': { ok: {} },
  'Create Catalog': {
    ok: (world) => ({
      body: { name: world.fresh('fasteners'), description: 'Bolts and nuts', active: true },
    }),
    fails: {
      400: { body: { name: 'a/b' } },
      409: async (world) => ({ body: { name: await world.catalog() } }),
    },
  },
  'Update Catalog': {
    ok: async (world) => ({ body: { name: await world.catalog(), description: 'All our tools' } }),
    fails: {
      400: { body: { description: 'no name' } },
      404: { body: { name: 'no-such-catalog' } },
    },
  },
  'Delete Catalog': {
    ok: async (world) => ({ path: [await world.catalog()] }),
    fails: { 404: { path: ['no-such-catalog'] } },
  },
}
