import type { Elastic } from '../../src/elastic/client.ts'
import { CATALOG, type Organization } from '../organization.ts'
import { FIRST } from './metrics.ts'
import { plainQuery } from './plain.ts'

/** What a search shows first. */
export interface Found {
  readonly ids: readonly string[]
  readonly total: number
}

/** One way of searching a catalog. Answers the first ten. */
export type Searcher = (keywords: string) => Promise<Found>

export type Side = 'aisle' | 'plain'
export type Searchers = Readonly<Record<Side, Searcher>>

interface Answer {
  readonly products: readonly { readonly id: string }[]
  readonly total: number
}

/** The service, over its public interface. */
export const aisleSearcher =
  (organization: Organization): Searcher =>
  async (keywords) => {
    const request = { keywords, pageSize: FIRST }
    const path = `/api/search/simple?catalog=${CATALOG}`
    const { products, total } = await organization.call<Answer>('POST', path, request)
    return { ids: products.map(({ id }) => id), total }
  }

/** The baseline: `multi_match` over the plain index. */
export const plainSearcher =
  ({ client }: Elastic, index: string): Searcher =>
  async (keywords) => {
    const { hits } = await client.search({
      index,
      size: FIRST,
      _source: false,
      track_total_hits: true,
      query: plainQuery(keywords),
    })
    const { value } = hits.total as { value: number }
    return { ids: hits.hits.map(({ _id }) => _id!), total: value }
  }

const AT_ONCE = 4

/** `work` for each of a list, a few at once; answers in the order of the list. */
export async function forEach<T, U>(
  list: readonly T[],
  work: (item: T) => Promise<U>,
): Promise<U[]> {
  const done: U[] = Array.from({ length: list.length })
  let next = 0
  const worker = async () => {
    while (next < list.length) {
      const at = next++
      done[at] = await work(list[at]!)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return done
}
