import type { Attack, Tenant } from './attack.ts'
import { answersUnder, attributesOf, clients } from './clients.ts'

const PRODUCTS = 100
const ids = Array.from({ length: PRODUCTS }, (_, at) => `L-${at}`)

/** Requests that return many whole large products, up to what is allowed. */
const REQUESTS: readonly ((tenant: Tenant) => Promise<Response>)[] = [
  (tenant) => tenant.call('POST', '/api/Catalog/shop/retrieveProducts', { ids }),
  (tenant) => tenant.call('POST', '/api/search?catalog=shop', { pageSize: 250 }),
  (tenant) => tenant.call('POST', '/api/search/simple?catalog=shop', { pageSize: 10 }),
  (tenant) => tenant.call('POST', '/api/Catalog/shop/retrieveProducts', { ids: ids.slice(0, 10) }),
  (tenant) => tenant.call('GET', '/api/Catalog/shop/products/L-1'),
  (tenant) => tenant.call('GET', '/api/reporting/products?pageSize=250'),
]

export const attack: Attack = {
  name: 'large products',
  what: 'two tenants with 100 products of 1 MB each read all of them, 48 clients each',
  async prepare(target) {
    const tenants = [await target.tenant(), await target.tenant()]
    const attributes = attributesOf(1_000_000)
    const products = ids.map((id) => ({ id, name: `large ${id}`, attributes }))
    for (const tenant of tenants) await tenant.add(products)
    return (signal) =>
      answersUnder(
        tenants.flatMap((tenant) =>
          clients(48, (turn) => REQUESTS[turn % REQUESTS.length]!(tenant)),
        ),
        signal,
      )
  },
}
