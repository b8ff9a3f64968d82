import type { Attack } from './attack.ts'
import { answersUnder, clients } from './clients.ts'

const products = Array.from({ length: 25 }, (_, at) => ({ catalog: 'shop', id: `P-${at * 7}` }))

export const attack: Attack = {
  name: 'possible matches',
  what: '16 clients of one tenant ask for possible matches of 25 items each',
  async prepare(target) {
    const tenant = await target.tenant({ products: 20_000 })
    return (signal) =>
      answersUnder(
        clients(16, () =>
          tenant.call('POST', '/api/extensions/export/csv/possibleMatches', { products }),
        ),
        signal,
      )
  },
}
