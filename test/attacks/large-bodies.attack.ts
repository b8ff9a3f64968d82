import type { Attack } from './attack.ts'
import { answersUnder, attributesOf, clients } from './clients.ts'

export const attack: Attack = {
  name: 'large bodies',
  what: '64 clients of one tenant send bodies of 2 MB: ids that there are not, and large products',
  async prepare(target) {
    const tenant = await target.tenant()
    await tenant.add(Array.from({ length: 8 }, (_, at) => ({ id: `L-${at}`, name: `large ${at}` })))
    const ids = Array.from({ length: 400_000 }, () => 'a')
    const attributes = attributesOf(1_000_000)
    return (signal) =>
      answersUnder(
        clients(64, (turn) =>
          turn % 4 === 0
            ? tenant.call('PUT', `/api/Catalog/shop/products/L-${turn % 8}`, { attributes })
            : tenant.call('POST', '/api/Catalog/shop/retrieveProducts', { ids }),
        ),
        signal,
      )
  },
}
