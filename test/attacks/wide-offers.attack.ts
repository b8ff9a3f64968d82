import type { Attack } from './attack.ts'
import { answersUnder, clients, many } from './clients.ts'

const PRODUCTS = 400

const named = <T>(kind: string, count: number, value: (at: number) => T) =>
  Object.fromEntries(many(count, (at) => [`${kind} ${at}`, value(at)]))

const wide = (at: number) => ({
  id: `W-${at}`,
  name: `wide ${at}`,
  facets: named('facet', 180, (facet) => `value ${facet} of ${at % 40}`),
  filters: named('filter', 60, (filter) => filter + at),
  attributes: named('attribute', 60, (attribute) => `text ${attribute} of ${at}`),
  vendors: many(20, (vendor) => ({ vendorName: `Vendor ${vendor}`, cost: vendor + at, onHand: 1 })),
})

export const attack: Attack = {
  name: 'wide offers',
  what: `8 clients that change one offer of each of ${PRODUCTS} products with 300 values and 20 offers`,
  async prepare(target) {
    const tenant = await target.tenant()
    await tenant.add(many(PRODUCTS, wide))
    const offers = (cost: number) =>
      many(PRODUCTS, (at) => ({ id: `W-${at}`, vendorName: 'Vendor 3', cost: cost + at }))
    return (signal) =>
      answersUnder(
        clients(8, (turn) =>
          tenant.call('POST', '/api/Catalog/shop/offers', { offers: offers(turn) }),
        ),
        signal,
      )
  },
}
