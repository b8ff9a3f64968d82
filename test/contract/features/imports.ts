import type { Contracts } from '../contract.ts'
import type { World } from '../world.ts'

const request = async (world: World) => ({
  fileUrl: await world.file(),
  fileType: 'csv',
  targetCatalog: await world.catalog(),
})

export const contracts: Contracts = {
  'Import Data': {
    ok: async (world) => ({ body: await request(world) }),
    fails: {
      400: { body: {} },
      404: async (world) => ({ body: { ...(await request(world)), targetCatalog: 'missing' } }),
    },
  },
  'Run Extension Via Queue': {
    ok: async (world) => ({ path: ['file'], body: await request(world) }),
    fails: {
      400: { path: ['file'], body: {} },
      404: async (world) => ({ path: ['no-such-extension'], body: await request(world) }),
    },
  },
}
