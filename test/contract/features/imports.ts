import type { Contracts } from '../contract.ts'
import type { World } from '../world.ts'

const request = async (world: World) => ({
  fileUrl: await world.file(),
  fileType: 'csv',
  targetCatalog: await world.catalog(),
})

/** An installed import of an uploaded file into a new catalog: [installation, catalog]. */
async function installed(world: World, more: object = {}): Promise<[string, string]> {
  const catalog = await world.catalog()
  const additionalData = { fileUrl: await world.file(), fileType: 'csv' }
  const { body } = await world.call('POST /api/extensions/available/file/install', {
    body: { extensionNickname: world.fresh('prices'), catalog, additionalData, ...more },
  })
  return [world.note(body.id), catalog]
}

export const contracts: Contracts = {
  'Fetch Pictures': {
    ok: async (world) => ({ path: [await world.catalog()], body: {} }),
    fails: {
      400: async (world) => ({ path: [await world.catalog()], body: { refresh: 'yes' } }),
      404: { path: ['no-such-catalog'], body: {} },
    },
  },
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
  'Run Import Extension': {
    ok: async (world) => ({ path: [(await installed(world))[0]] }),
    fails: {
      400: async (world) => ({ path: [(await installed(world, { enabled: false }))[0]] }),
      404: { path: [crypto.randomUUID()] },
    },
  },
  'Run Import Extensions for Folio': {
    ok: async (world) => ({ path: [(await installed(world))[1]] }),
    fails: {
      400: async (world) => ({ path: [(await installed(world, { additionalData: {} }))[1]] }),
      404: { path: ['missing'] },
    },
  },
}
