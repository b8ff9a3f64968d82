import { refreshIndex } from '../../../src/elastic/refresh.ts'
import type { Contracts } from '../contract.ts'
import type { World } from '../world.ts'

const list = { currency: 'EUR', description: 'What dealers pay' }

/** A price list in a catalog: [catalog, list, a product with prices]. */
async function listed(world: World): Promise<[catalog: string, name: string, id: string]> {
  const [catalog, id] = await world.product()
  const name = world.fresh('dealers')
  const path = `/api/Catalog/${catalog}/priceLists/${name}`
  await world.call(`PUT ${path}`, { body: list })
  const lines = [
    { id, price: 79.9 },
    { id, price: 74.5, quantityFrom: 10 },
  ]
  await world.call(`POST ${path}/prices`, { body: { lines } })
  return [catalog, name, id]
}

const existing = async (world: World) => ({ path: (await listed(world)).slice(0, 2) })
const unknown = async (world: World) => ({ path: [await world.shop(), 'no-such-list'] })

export const contracts: Contracts = {
  'Get Price Lists': {
    ok: async (world) => ({ path: (await listed(world)).slice(0, 1) }),
    fails: { 404: { path: ['no-such-catalog'] } },
  },
  'Get Price List': { ok: existing, fails: { 404: unknown } },
  'Save Price List': {
    ok: async (world) => ({ path: [await world.catalog(), world.fresh('dealers')], body: list }),
    fails: {
      400: async (world) => ({
        path: [await world.shop(), 'dealers'],
        body: { ...list, currency: 'euro' },
      }),
      404: { path: ['no-such-catalog', 'dealers'], body: list },
      409: async (world) => {
        const catalog = await world.catalog()
        for (let at = 0; at < 64; at++) {
          await world.call(`PUT /api/Catalog/${catalog}/priceLists/l${at}`, { body: list })
        }
        return { path: [catalog, 'dealers'], body: list }
      },
    },
  },
  'Delete Price List': { ok: existing, fails: { 404: unknown } },
  'Get Prices': {
    ok: async (world) => {
      const found = await existing(world)
      await refreshIndex(world.service.services.elastic, 'products')
      return { ...found, query: { pageSize: '100' } }
    },
    fails: {
      400: async (world) => ({ ...(await existing(world)), query: { pageSize: '1000' } }),
      404: unknown,
    },
  },
  'Write Prices': {
    ok: async (world) => {
      const [catalog, name, id] = await listed(world)
      const lines = [
        { id, price: 69.9, quantityFrom: 50 },
        { id, price: 59.9, quantityFrom: 100, validFrom: '2026-11-01T00:00:00Z' },
        { id: 'no-such-product', price: 5 },
      ]
      const headers = { 'idempotency-key': world.fresh('prices') }
      return { path: [catalog, name], headers, body: { lines } }
    },
    fails: {
      400: async (world) => ({ ...(await existing(world)), body: { lines: [] } }),
      404: async (world) => ({
        ...(await unknown(world)),
        body: { lines: [{ id: 'x', price: 1 }] },
      }),
      409: async (world) => {
        const [catalog, name] = await listed(world)
        const headers = { 'idempotency-key': world.fresh('prices') }
        const line = `POST /api/Catalog/${catalog}/priceLists/${name}/prices`
        await world.mine(line, { headers, body: { lines: [{ id: 'x', price: 1 }] } })
        return { path: [catalog, name], headers, body: { lines: [{ id: 'y', price: 1 }] } }
      },
    },
  },
}
