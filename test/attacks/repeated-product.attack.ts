import type { Attack } from './attack.ts'

const CLIENTS = 3
const many = <T>(length: number, of: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => of(at))

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
    return async (signal) => {
      const answered = new Map<number, number>()
      const client = async (first: number) => {
        for (let batch = first; !signal.aborted; batch += CLIENTS) {
          const body = { operations: operations(batch) }
          const answer = await tenant.call('POST', '/api/Catalog/shop/products/batch', body)
          await answer.arrayBuffer()
          answered.set(answer.status, (answered.get(answer.status) ?? 0) + 1)
        }
      }
      await Promise.all(many(CLIENTS, client))
      return [...answered].map(([status, count]) => `${count} times ${status}`).join(', ')
    }
  },
}
