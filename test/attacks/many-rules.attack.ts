import type { Attack } from './attack.ts'
import { answersUnder, clients } from './clients.ts'

const CATALOGS = 20
const many = <T>(length: number, of: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => of(at))

const criterion = (at: number) => ({
  type: 'facet',
  name: `Facet ${at}`,
  value: `${at} `.padEnd(1_900, 'x'),
})

/** Rules of 1 MB that all apply to every search. */
const rules = many(12, (at) => ({
  name: `rule ${at}`,
  when: { query: '', match: 'contains' },
  boosts: many(20, (n) => ({ ...criterion(n * 31 + at), weight: 1 })),
  hides: { criteria: many(20, (n) => criterion(n * 37 + at)), products: many(50, (n) => `${n}`) },
  filters: [],
  pins: many(50, (n) => ({ product: `P-${at * 50 + n}`, position: n + 1 })),
}))

export const attack: Attack = {
  name: 'many rules',
  what: `8 clients of one tenant send 20 searches at once, of ${CATALOGS} catalogs with rules of 1 MB each`,
  async prepare(target) {
    const tenant = await target.tenant()
    const names = many(CATALOGS, (at) => `rules-${at}`)
    for (const name of names) {
      await tenant.call('POST', '/api/Catalog', { name, active: true })
      const answer = await tenant.call('PUT', `/api/Catalog/${name}/search/rules`, rules)
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    }
    const requests = names.map((catalog) => ({ catalog, keywords: 'cordless drill', pageSize: 10 }))
    return (signal) =>
      answersUnder(
        clients(8, () => tenant.call('POST', '/api/search/many', { requests })),
        signal,
      )
  },
}
