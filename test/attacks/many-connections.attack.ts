import type { Attack } from './attack.ts'
import { answersUnder, clients } from './clients.ts'

export const attack: Attack = {
  name: 'many connections',
  what: 'one tenant searches 20,000 products over 200 connections and never heeds Retry-After',
  async prepare(target) {
    const tenant = await target.tenant({ products: 20_000 })
    const words = ['cordless drill', 'notebook model', 'toner', 'cable bearing']
    return (signal) =>
      answersUnder(
        clients(200, (turn) =>
          tenant.call('POST', '/api/search?catalog=shop', { keywords: words[turn % 4] }),
        ),
        signal,
      )
  },
}
