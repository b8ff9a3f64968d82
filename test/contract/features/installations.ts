import type { Contracts } from '../contract.ts'
import { manifestOf } from '../outside.ts'
import type { World } from '../world.ts'

const values = {
  extensionNickname: 'Oakvale prices',
  vendor: 'Oakvale Supply',
  additionalData: { fileUrl: 'https://oakvale.example/prices.csv', password: 'secret' },
}

/** The id of an installed import of a file. */
async function installed(world: World): Promise<string> {
  const line = 'POST /api/extensions/available/file/install'
  return world.note((await world.call(line, { body: values })).body.id)
}

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** The id of a registered extension. */
async function registered(world: World): Promise<string> {
  const id = world.fresh('oakvale-stock')
  await world.call('POST /api/extensions/available', { body: { manifestUrl: manifestOf(id) } })
  return id
}

/** A request for the first rows of an uploaded file. */
const sampled = async (world: World) => ({
  additionalFields: { fileUrl: await world.file(), fileType: 'csv' },
})

const missing = { path: [crypto.randomUUID()] }

export const contracts: Contracts = {
  'Get Available Extensions': { ok: {} },
  'Get Extension': { ok: { path: ['file'] }, fails: { 404: { path: ['no-such-extension'] } } },
  'Validate Extension': {
    ok: { path: ['file'], body: values },
    fails: {
      400: { path: ['file'], body: { mappings: 'all' } },
      404: { path: ['no-such-extension'], body: {} },
    },
  },
  'Get Import Sample': {
    ok: async (world) => ({ path: ['file'], body: await sampled(world) }),
    fails: {
      400: { path: ['file'], body: { additionalFields: 'all' } },
      404: { path: ['no-such-extension'], body: {} },
    },
  },
  'Get Install Extension Options': {
    ok: { path: ['file', 'fileType'] },
    fails: {
      400: { path: ['file', 'delimiter'] },
      404: { path: ['no-such-extension', 'fileType'] },
    },
  },
  'Install Extension': {
    ok: { path: ['file'], body: values },
    fails: {
      400: { path: ['file'], body: { additionalData: { colour: 'red' } } },
      404: { path: ['no-such-extension'], body: {} },
    },
  },
  'Get Installed Extensions': { ok: {} },
  'Update Installed Extension': {
    ok: async (world) => ({ path: [await installed(world)], body: { enabled: false } }),
    fails: {
      400: async (world) => ({ path: [await installed(world)], body: { catalog: 'no-such' } }),
      404: { ...missing, body: { enabled: false } },
    },
  },
  'Uninstall Extension': {
    ok: async (world) => ({ path: [await installed(world)] }),
    fails: { 404: missing },
  },
  'Register Extension': {
    ok: (world) => ({
      body: { manifestUrl: manifestOf(world.fresh('oakvale-stock')), secret: SECRET },
    }),
    fails: {
      400: { body: { manifestUrl: `${manifestOf('oakvale-stock')}/elsewhere` } },
      409: { body: { manifestUrl: manifestOf('file') } },
    },
  },
  'Remove Extension': {
    ok: async (world) => ({ path: [await registered(world)] }),
    fails: {
      404: { path: ['no-such-extension'] },
      409: async (world) => {
        const id = await registered(world)
        await world.call(`POST /api/extensions/available/${id}/install`, { body: {} })
        return { path: [id] }
      },
    },
  },
  'Get Extension Logs': {
    ok: async (world) => ({ path: [await installed(world)] }),
    fails: { 404: missing },
  },
}
