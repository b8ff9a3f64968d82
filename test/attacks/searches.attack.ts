import type { Attack } from './attack.ts'
import { many } from './clients.ts'
import { searchedBy } from './searching.ts'

const letter = (at: number) => 'abcdefghijklmnopqrstuvwxyz'[at % 26]
const colours = many(12, (at) => ({ type: 'facet', name: 'Colour', value: `colour ${at}` }))
const names = many(88, (at) => ({ type: 'facet', name: `Size ${at}`, value: '1 mm' }))

/** Requests with the maximum of everything that the schema allows. */
const BODIES = [
  { keywords: many(32, (at) => `cordlesz${letter(at)}rench${letter(at * 7)}`).join(' ') },
  { keywords: many(32, (at) => `${letter(at)}${at * 137}x`).join(' '), pageSize: 250 },
  {
    boost: many(32, (at) => ({ type: 'keyword', value: `drill${letter(at)}` })),
    keywords: 'model',
  },
  { must: [...colours, ...names], counts: true },
  { filters: many(32, (at) => ({ name: `number ${at}` })), must: names, counts: true },
  { facetSearch: { type: 'vendor', text: 'ffi'.repeat(33) }, lowPrice: 0, vendors: ['Vendor 1'] },
  { keywords: 'model', page: 39, pageSize: 250, sort: 'price', vendors: ['Vendor 1'], lowPrice: 0 },
]

export const attack: Attack = {
  name: 'searches',
  what: 'four clients that send the largest searches that are allowed, on 20,000 products',
  async prepare(target) {
    const tenant = await target.tenant({ products: 20_000 })
    return (signal) => searchedBy(tenant, { clients: 4, bodies: BODIES, signal })
  },
}
