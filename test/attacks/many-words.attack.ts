import type { Attack } from './attack.ts'
import { many } from './clients.ts'
import { searchedBy } from './searching.ts'

const PARTS = ['akku', 'bohr', 'schrauber', 'staub', 'sauger', 'beutel', 'kabel', 'trommel']

/** Made-up compounds, each of other parts. */
const compounds = (count: number, parts: number): string =>
  many(count, (word) => many(parts, (part) => PARTS[(word * 3 + part * 5) % 8]).join('')).join(' ')

const letters = (from: number): string =>
  many(30, (at) => 'abcdefghijklmnopqrstuvwxyz'[(at + from) % 26]).join(' ')

/** Each body is sent once, so that no answer is kept. */
const BODIES = many(1_000, (at) => [
  { keywords: letters(at), pageSize: 10, page: at % 5 },
  { keywords: `${compounds(6, 8)} ${at}`, pageSize: 10 },
  { keywords: `${compounds(12, 3)} ${at}`, pageSize: 50, highlight: true },
]).flat()

export const attack: Attack = {
  name: 'many words',
  what: 'eight clients that search for 30 letters, or for long compound words, on 6,000 products',
  async prepare(target) {
    const tenant = await target.tenant({ products: 6_000 })
    return (signal) => searchedBy(tenant, { clients: 8, bodies: BODIES, signal })
  },
}
