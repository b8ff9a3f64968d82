import type { Contracts } from '../contract.ts'
import type { World } from '../world.ts'

/** A product of the world that is linked to its id in another system. */
async function linked(world: World, type = 'erp') {
  const [catalog, id] = await world.product()
  await world.call(`PUT /api/Catalog/${catalog}/products/${id}/links/${type}/4711`)
  return { products: [{ acId: id, acCatalog: catalog }] }
}

const unknown = { path: ['no-such-extension'] }

export const contracts: Contracts = {
  'Run Extension': {
    ok: async (world) => ({
      path: ['csv'],
      query: { catalog: await world.shop() },
      body: { products: [{ id: 'D-100' }], additionalFields: { columns: 'id,name,msrp' } },
    }),
    fails: {
      400: async (world) => ({
        path: ['csv'],
        query: { catalog: await world.shop() },
        body: { additionalFields: { columns: 'no such column' } },
      }),
      404: async (world) => ({ ...unknown, query: { catalog: await world.shop() }, body: {} }),
    },
  },
  'Run Existing Extension Links': {
    ok: async (world) => ({ path: ['csv'], body: await linked(world, 'csv') }),
    fails: {
      400: { path: ['csv'], body: { products: 'all' } },
      404: async (world) => ({ ...unknown, body: await linked(world) }),
    },
  },
  'Run Extension Possible Matches': {
    ok: async (world) => ({
      path: ['csv'],
      body: {
        additionalFields: {
          catalog: await world.shop(),
          id: '4711',
          partNumber: 'ds18 040',
          manufacturer: 'Drakesmoor',
        },
      },
    }),
    fails: {
      400: async (world) => ({
        path: ['csv'],
        body: { additionalFields: { catalog: await world.shop() } },
      }),
      404: { path: ['csv'], body: { additionalFields: { catalog: 'missing', name: 'drill' } } },
    },
  },
  'Run Extension Options': {
    ok: { path: ['csv', 'delimiter'], body: {} },
    fails: {
      400: { path: ['csv', 'delimiter'], body: { search: 5 } },
      404: { path: ['csv', 'no-such-field'], body: {} },
    },
  },
  'Extension Links': {
    ok: async (world) => ({ path: ['erp'], body: await linked(world) }),
    fails: { 400: { path: ['erp'], body: { products: 'all' } } },
  },
}
