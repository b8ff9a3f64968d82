import type { Attack } from './attack.ts'
import { answersUnder, clients } from './clients.ts'

const KEYS = 90
const value = '漢'.repeat(640)
const must = Array.from({ length: 100 }, (_, at) => ({ type: 'facet', name: `f${at}`, value }))

export const attack: Attack = {
  name: 'long keys',
  what: `six clients list ${KEYS} search keys, each with the longest filter`,
  async prepare(target) {
    const tenant = await target.tenant()
    for (let made = 0; made < KEYS; made++) {
      const body = { name: `long ${made}`, keyType: 'search', filter: { must } }
      const answer = await tenant.call('POST', '/api/KeyAuth/keys', body)
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    }
    return (signal) =>
      answersUnder(
        clients(6, () => tenant.call('GET', '/api/KeyAuth/keys')),
        signal,
      )
  },
}
