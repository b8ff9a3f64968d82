import type { Attack, Tenant } from './attack.ts'
import { answersUnder, clients, many } from './clients.ts'

const VALUES = 180_000
const record = Object.fromEntries(many(VALUES, (at) => [`n${at}`, 1]))
const PRODUCT = '/api/Catalog/shop/products/P'

/** Bodies as large as they may be, every value of which is wrong, or every name unknown. */
const REQUESTS: readonly ((tenant: Tenant) => Promise<Response>)[] = [
  (tenant) => tenant.call('PUT', PRODUCT, { attributes: record }),
  (tenant) =>
    tenant.call(
      'PUT',
      `${PRODUCT}/userTags`,
      many(VALUES, () => 1),
    ),
  (tenant) => tenant.call('POST', '/api/search?catalog=shop', record),
  (tenant) => tenant.call('POST', '/api/search?catalog=shop', { must: many(VALUES, () => 1) }),
]

export const attack: Attack = {
  name: 'wrong values',
  what: `4 clients whose bodies have ${VALUES} wrong values or unknown names`,
  async prepare(target) {
    const tenant = await target.tenant()
    await tenant.add([{ id: 'P', name: 'Product' }])
    return (signal) =>
      answersUnder(
        clients(4, (turn) => REQUESTS[turn % REQUESTS.length]!(tenant)),
        signal,
      )
  },
}
