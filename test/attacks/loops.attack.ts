import type { Attack } from './attack.ts'
import { answersUnder, clients } from './clients.ts'

/** Synonym groups of a megabyte. */
const groups = Array.from({ length: 2_000 }, (_, at) => ({
  words: Array.from({ length: 6 }, (_, n) => `${at} ${n}`.padEnd(70, 'w')),
}))

export const attack: Attack = {
  name: 'loops',
  what: '48 clients of one tenant do over and over what makes keys, sessions, reports, looks and previews',
  async prepare(target) {
    const tenant = await target.tenant({ products: 20_000 })
    const { id, key } = tenant
    const configurations = [{ name: 'punchoutCallbackHosts', defaultValue: 'buyer.example' }]
    await tenant.call('PUT', '/api/organizations/current', { configurations })
    const post = (path: string, body: unknown) => tenant.call('POST', path, body)
    const setUp = { company: id, username: id, apiKey: key, callbackUrl: 'https://buyer.example/' }
    const enter = async () => {
      const answer = await post('/api/KeyAuth/punchout/setup/json', setUp)
      if (!answer.ok) return answer
      const { startPageUrl } = (await answer.json()) as { startPageUrl: string }
      return fetch(
        `${target.address}/api/KeyAuth/punchout/session/${startPageUrl.split('#punchout=')[1]}`,
        { headers: { 'x-api-version': '6.0' } },
      )
    }
    const makeKey = async () => {
      const body = { name: 'loop', keyType: 'search', hide: ['vendors.cost'] }
      const answer = await post('/api/KeyAuth/keys', body)
      if (!answer.ok) return answer
      const made = (await answer.json()) as { id: string }
      return tenant.call('DELETE', `/api/KeyAuth/keys/${made.id}`)
    }
    const turns: ((turn: number) => Promise<Response>)[] = [
      enter,
      () => post('/api/Catalog/shop/products/delete', { search: { keywords: 'cordless drill' } }),
      () =>
        post('/api/Catalog/shop/search/preview', {
          search: { keywords: 'drill' },
          settings: { synonyms: { groups } },
        }),
      makeKey,
      () => tenant.call('GET', '/api/reporting/searches?catalog=shop'),
      () => tenant.call('GET', '/api/reporting/audit?pageSize=250'),
      () => post('/api/search?catalog=shop', { keywords: 'drill', analytics: true }),
      (turn) => tenant.call('PUT', `/api/Catalog/shop/products/P-${turn % 500}/tags`, [`t${turn}`]),
      () => tenant.call('GET', '/api/favorites?catalog=shop'),
    ]
    return (signal) =>
      answersUnder(
        clients(48, (turn) => turns[turn % turns.length]!(turn)),
        signal,
      )
  },
}
