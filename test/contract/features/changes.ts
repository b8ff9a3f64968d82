import type { Contracts, Sending } from '../contract.ts'
import type { World } from '../world.ts'

const existing: Sending = async (world) => ({ path: await world.product() })
const unknown: Sending = async (world) => ({ path: [await world.shop(), 'missing'] })

const reported: Sending = async (world) => {
  const [catalog] = await world.product()
  return { query: { catalog, pageSize: '1' } }
}

/** A product that was changed once, and the entries of its log, newest first. */
async function changed(world: World) {
  const [catalog, id] = await world.product()
  const path = `/api/Catalog/${catalog}/products/${id}`
  await world.call(`PUT ${path}`, { body: { msrp: 119 } })
  const { body } = await world.call(`GET ${path}/logs`)
  const ids: string[] = body.items.map((item: { id: string }) => world.note(item.id))
  return { product: [catalog, id], ids }
}

export const contracts: Contracts = {
  'Get Product Reporting Logs': {
    ok: reported,
    fails: { 400: { query: { page: '-1' } }, 404: { query: { catalog: 'no-such-catalog' } } },
  },
  'Restore Product': {
    ok: async (world) => {
      const { product, ids } = await changed(world)
      return { path: [...product, ids[0]!] }
    },
    fails: {
      400: async (world) => {
        const { product, ids } = await changed(world)
        return { path: [...product, ids[1]!] }
      },
      404: async (world) => ({ path: [...(await world.product()), crypto.randomUUID()] }),
      412: async (world) => {
        const { product, ids } = await changed(world)
        return { path: [...product, ids[0]!], headers: { 'if-match': '"99"' } }
      },
    },
  },
  'Copy Product To Catalog': {
    ok: async (world) => ({ path: [...(await world.product()), await world.catalog()] }),
    fails: {
      400: async (world) => {
        const [catalog, id] = await world.product()
        return { path: [catalog, id, catalog] }
      },
      404: async (world) => ({ path: [...(await world.product()), 'no-such-catalog'] }),
    },
  },
  'Get Insights': {
    ok: existing,
    fails: {
      400: async (world) => ({ path: await world.product(), query: { from: 'yesterday' } }),
      404: unknown,
    },
  },
}
