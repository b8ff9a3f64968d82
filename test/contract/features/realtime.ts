import type { Contracts } from '../contract.ts'
import { manifestOf } from '../outside.ts'
import { drill, type World } from '../world.ts'

/** An installed vendor of a catalog with one product: [installation, product]. */
async function installed(world: World) {
  const [catalog, id] = [await world.catalog(), world.fresh('D-100')]
  await world.call(`POST /api/Catalog/${catalog}/products`, { body: { ...drill, id } })
  const extension = world.fresh('oakvale-stock')
  const manifestUrl = manifestOf(extension)
  await world.call('POST /api/extensions/available', { body: { manifestUrl } })
  const { body } = await world.call(`POST /api/extensions/available/${extension}/install`, {
    body: { vendor: 'Oakvale Supply', catalogFilter: [catalog] },
  })
  return { path: [world.note(body.id)], body: { products: [{ catalog, id }] } }
}

const unknown = { products: [{ catalog: 'no-such-catalog', id: 'D-100' }] }

export const contracts: Contracts = {
  'Run All Real Time Extensions': {
    ok: async (world) => ({ body: (await installed(world)).body }),
    fails: { 400: { body: {} }, 404: { body: unknown } },
  },
  'Run Real Time Extension': {
    ok: installed,
    fails: {
      400: async (world) => ({ ...(await installed(world)), body: { products: 'D-100' } }),
      404: { path: [crypto.randomUUID()], body: unknown },
    },
  },
}
