import type { Attack } from './attack.ts'
import { searchedBy } from './searching.ts'

/**
 * Eight words of products and one unknown word, so that the search is repeated with fewer words.
 */
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
