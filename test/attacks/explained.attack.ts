import type { Attack } from './attack.ts'
import { importText, timeOf } from './long-imports.attack.ts'
import { searchedBy } from './searching.ts'

const PRODUCTS = 40
const PREPARE_MS = 120_000
const words = Array.from({ length: 32 }, (_, at) => `part${at * 29}`)

const textOf = (at: number): string =>
  Array.from({ length: 250 }, (_, n) => `part${(at * 31 + n * 7) % 997}`).join(' ')

const productAt = (at: number) => ({
  id: `E-${at}`,
  name: words.join(' '),
  attributes: Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`a${n}`, textOf(n)])),
})

export const attack: Attack = {
  name: 'explained',
  what: `four clients that have ${PRODUCTS} products of 240 KB explained, which have all of 32 words`,
  async prepare(target) {
    const tenant = await target.tenant()
    const lines = Array.from({ length: PRODUCTS }, (_, at) => JSON.stringify(productAt(at)))
    const file = { name: 'explained.jsonl', text: lines.join('\n') }
    const id = await importText(target, tenant, file)
    await timeOf(tenant, id, AbortSignal.timeout(PREPARE_MS))
    const keywords = words.join(' ')
    const body = { keywords, explain: true, pageSize: PRODUCTS, includeMetadata: false }
    return (signal) => searchedBy(tenant, { clients: 4, bodies: [body], signal })
  },
}
