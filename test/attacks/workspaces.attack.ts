import type { Attack, Tenant } from './attack.ts'
import { answersUnder, clients } from './clients.ts'

const ITEMS = 500
const WORKSPACES = 8

/** A product with texts of the maximum length. */
const productAt = (at: number) => ({
  id: `W-${at}-`.padEnd(200, '漢'),
  name: '漢'.repeat(500),
  manufacturer: '漢'.repeat(200),
  manufacturerPartNumber: '漢'.repeat(200),
  unspsc: '12345678',
  image: `https://a.example/${'x'.repeat(1_500)}`,
  vendors: [{ vendorName: '漢'.repeat(200), vendorPartNumber: '漢'.repeat(200), cost: 1 }],
})

/** Fills the workspace with the maximum number of items. */
async function fill(tenant: Tenant, workspace: string, ids: readonly string[]): Promise<void> {
  const items = ids.map((productId) => ({ catalog: 'shop', productId }))
  for (let from = 0; from < ids.length; from += 20) {
    const body = { items: items.slice(from, from + 20) }
    const answer = await tenant.call('POST', `/api/workspaces/${workspace}/items`, body)
    if (answer.status === 400) return
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  }
}

export const attack: Attack = {
  name: 'workspaces',
  what: `64 clients read ${WORKSPACES} workspaces that are full of items with the longest texts, and change their items`,
  async prepare(target) {
    const tenant = await target.tenant()
    const products = Array.from({ length: ITEMS }, (_, at) => productAt(at))
    await tenant.add(products)
    const names = Array.from({ length: WORKSPACES }, (_, at) => `w-${at}`)
    for (const name of names) {
      const answer = await tenant.call('POST', '/api/workspaces', { name })
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      await fill(
        tenant,
        name,
        products.map(({ id }) => id),
      )
    }
    const answer = await tenant.call('GET', '/api/workspaces/w-0')
    const { products: items } = (await answer.json()) as { products: { id: string }[] }
    return (signal) =>
      answersUnder(
        clients(64, (turn) => {
          const path = `/api/workspaces/${names[turn % WORKSPACES]}`
          if (turn % 3 === 0) return tenant.call('GET', path)
          const body = { quantity: 1 + (turn % 900) }
          return tenant.call('PUT', `${path}/items/${items[turn % items.length]!.id}`, body)
        }),
        signal,
      )
  },
}
