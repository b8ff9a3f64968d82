import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import { attributesOf } from './clients.ts'

const PRODUCTS = 50
const SOON_MS = 3_000

export const attack: Attack = {
  name: 'due prices',
  what: `prices of ${PRODUCTS} products of 1 MB that all begin at the same moment, again and again`,
  async prepare(target) {
    const tenant = await target.tenant()
    const attributes = attributesOf(1_000_000)
    const ids = Array.from({ length: PRODUCTS }, (_, at) => `D-${at}`)
    await tenant.add(ids.map((id) => ({ id, name: `large ${id}`, attributes })))
    const path = '/api/Catalog/shop/priceLists/due'
    await tenant.call('PUT', path, { currency: 'EUR' })
    return async (signal) => {
      const statuses: number[] = []
      while (!signal.aborted) {
        const validFrom = new Date(Date.now() + SOON_MS).toISOString()
        const lines = ids.map((id) => ({ id, price: 1 + statuses.length, validFrom }))
        const { status } = await tenant.call('POST', `${path}/prices`, { lines })
        statuses.push(status)
        await sleep(SOON_MS)
      }
      return `prices were written with ${statuses.join(', ')}`
    }
  },
}
