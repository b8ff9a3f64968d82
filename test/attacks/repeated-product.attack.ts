import type { Attack } from './attack.ts'
import { answersUnder, clients, many } from './clients.ts'

const CLIENTS = 3

const offers = (count: number, cost: number) =>
  many(count, (at) => ({ vendorName: `Vendor ${at}`, cost: cost + at, onHand: at }))

const PRODUCT = {
  id: 'large',
  name: 'A product with hundreds of offers',
  vendors: offers(500, 1),
  attributes: Object.fromEntries(many(500, (at) => [`attribute ${at}`, `value ${at}`])),
}

/** A thousand updates of one product, of one field or of 30 offers each. */
const operations = (batch: number) =>
  many(1_000, (at) => ({
    action: 'update',
    id: PRODUCT.id,
    product:
      batch % 2 === 0 ? { msrp: batch * 1_000 + at } : { vendors: offers(30, batch * 1_000 + at) },
  }))

export const attack: Attack = {
  name: 'repeated product',
  what: `${CLIENTS} clients that update one product with 500 offers a thousand times in each batch`,
  async prepare(target) {
    const tenant = await target.tenant()
    await tenant.add([PRODUCT])
    return (signal) =>
      answersUnder(
        clients(CLIENTS, (batch) =>
          tenant.call('POST', '/api/Catalog/shop/products/batch', {
            operations: operations(batch),
          }),
        ),
        signal,
      )
  },
}
