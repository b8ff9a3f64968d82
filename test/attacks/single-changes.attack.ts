import type { Attack } from './attack.ts'
import { answersUnder, clients, many } from './clients.ts'

const PRODUCTS = 40

/** Few bytes, but Elasticsearch has a document for each number and offer. */
const nested = (at: number) => ({
  id: `N-${at}`,
  name: `nested ${at}`,
  filters: Object.fromEntries(many(1_000, (filter) => [`n${filter}`, filter])),
  vendors: many(500, (vendor) => ({ vendorName: `v${vendor}` })),
})
const small = (at: number) => ({ id: `S-${at}`, name: `small ${at}` })

export const attack: Attack = {
  name: 'single changes',
  what: '12 clients that change one product at a time, half of them with 1,000 numbers and 500 offers',
  async prepare(target) {
    const tenant = await target.tenant()
    await tenant.add(many(PRODUCTS, nested))
    await tenant.add(many(PRODUCTS, small))
    const path = (turn: number) =>
      `/api/Catalog/shop/products/${turn % 2 === 0 ? 'N' : 'S'}-${turn % PRODUCTS}`
    const change = (turn: number) =>
      turn % 4 < 2
        ? tenant.call('PUT', path(turn), { msrp: turn })
        : tenant.call('PUT', `${path(turn)}/favorites/user`)
    return (signal) => answersUnder(clients(12, change), signal)
  },
}
