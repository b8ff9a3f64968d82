import type { Attack } from './attack.ts'
import { answersUnder, clients } from './clients.ts'
import { importText, timeOf } from './long-imports.attack.ts'

const PRODUCTS = 10_000
const PREPARE_MS = 200_000

const named = (at: number, length: number): string => `${at} `.padEnd(length, '漢字 > ')

/** A product with as many categories as possible, as long as possible, and long facet values. */
const productAt = (at: number) => ({
  id: `N-${at}`,
  segment: named(at, 200),
  category: named(at, 200),
  subCategory: named(at, 200),
  manufacturer: named(at, 200),
  facets: { Long: named(at, 2_000), [`Rare ${at % 60}`]: named(at, 1_000) },
})

const BODIES = [
  { counts: true },
  { counts: true, facets: { lists: true, tree: true, ranges: true } },
  { pageSize: 1, must: [{ type: 'facet', name: 'Long', value: named(1, 2_000) }] },
]

export const attack: Attack = {
  name: 'long names',
  what: `16 clients search ${PRODUCTS} products, each in a category of its own with the longest names`,
  async prepare(target) {
    const tenant = await target.tenant()
    for (let from = 0; from < PRODUCTS; from += 2_500) {
      const lines = Array.from({ length: 2_500 }, (_, n) => JSON.stringify(productAt(from + n)))
      const file = { name: 'long.jsonl', text: lines.join('\n') }
      const id = await importText(target, tenant, file)
      await timeOf(tenant, id, AbortSignal.timeout(PREPARE_MS))
    }
    const get = (path: string) => tenant.call('GET', `/api/search/${path}`)
    return (signal) =>
      answersUnder(
        clients(16, (turn) => {
          if (turn % 5 === 3) return get('metadata?catalog=shop&counts=true')
          if (turn % 5 === 4)
            return get(`quicksearch?catalog=shop&search=${turn % 9}&include=queries`)
          return tenant.call('POST', '/api/search?catalog=shop', BODIES[turn % 3])
        }),
        signal,
      )
  },
}
