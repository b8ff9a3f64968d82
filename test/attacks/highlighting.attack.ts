import type { Attack } from './attack.ts'
import { searchedBy } from './searching.ts'

/** Eight words that products have and one that none has, so that fewer words are looked for. */
const KEYWORDS = 'cordless drill model maker colour mm cable glove zzqqzzk'

export const attack: Attack = {
  name: 'highlighting',
  what: 'four clients that have 250 products of a search by fewer words highlighted, of 20,000',
  async prepare(target) {
    const tenant = await target.tenant({ products: 20_000 })
    const body = { keywords: KEYWORDS, pageSize: 250, highlight: true }
    return (signal) => searchedBy(tenant, { clients: 4, bodies: [body], signal })
  },
}
