import type { Attack } from './attack.ts'
import { answersUnder, clients } from './clients.ts'

export const attack: Attack = {
  name: 'refreshes',
  what: '48 clients of one tenant write and list what an index has to be refreshed for',
  async prepare(target) {
    const tenant = await target.tenant({ products: 20_000 })
    for (let at = 0; at < 20; at++) await tenant.call('POST', '/api/workspaces', { name: `w${at}` })
    const created = (turn: number) => ({
      operations: [
        { action: 'upsert', product: { upcs: [`400638133${turn % 5_000}`], name: `new ${turn}` } },
        { action: 'update', upc: `400638133${turn % 5_000}`, product: { msrp: turn } },
      ],
    })
    return (signal) =>
      answersUnder(
        clients(48, (turn) => {
          if (turn % 3 === 0) return tenant.call('GET', '/api/workspaces')
          if (turn % 3 === 1)
            return tenant.call('POST', '/api/Catalog/shop/products/batch', created(turn))
          return tenant.call(
            'POST',
            `/api/Catalog/shop/products/P-${turn}/addToWorkspace/w${turn % 20}`,
          )
        }),
        signal,
      )
  },
}
