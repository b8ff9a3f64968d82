import type { Attack } from './attack.ts'
import { answersUnder, clients, many } from './clients.ts'
import { importText, taskOf, timeOf } from './long-imports.attack.ts'

const PRODUCTS = 4_000
const VALUES = 1_000
/** Milliseconds for the import. */
const IMPORT_MS = 200_000

/** A product whose facets no other product has. */
const numbered = (at: number): string =>
  JSON.stringify({
    id: `F-${at}`,
    name: `numbered ${at}`,
    facets: Object.fromEntries(many(VALUES, (facet) => [`f${at * VALUES + facet}`, `v${facet}`])),
  })

export const attack: Attack = {
  name: 'facet values',
  what: `${(PRODUCTS * VALUES) / 1_000_000} million distinct facets, which are listed again after each change of a product`,
  async prepare(target) {
    const tenant = await target.tenant()
    await tenant.add([{ id: 'A', name: 'anvil' }])
    const text = many(PRODUCTS, numbered).join('\n')
    const id = await importText(target, tenant, { name: 'numbered.jsonl', text })
    await timeOf(tenant, id, AbortSignal.timeout(IMPORT_MS))
    const message = (await taskOf(tenant, id))?.message
    const change = (turn: number) =>
      tenant.call('PUT', '/api/Catalog/shop/products/A', { msrp: turn })
    return async (signal) => {
      const answers = await answersUnder(clients(1, change), signal)
      return `import: ${message}; changes: ${answers}`
    }
  },
}
