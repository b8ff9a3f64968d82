import { classOf, HIT_CLASSES, type HitClass, hitRanges } from './catalog/classes.ts'
import { candidates, quickTexts, type SearchRequest, someIds } from './catalog/requests.ts'
import type { Wire } from './http.ts'
import type { Part } from './options.ts'
import { CATALOG, type Organization } from './organization.ts'

/** Requests of one operation that are measured together. */
export interface Workload {
  readonly part: Part
  readonly hitClass?: HitClass
  /** Number of hits of each request, if known. */
  readonly hits: readonly number[]
  readonly requests: readonly Wire[]
}

export interface Classified {
  readonly request: SearchRequest
  readonly hits: number
}

/** Candidates to try before a class is left smaller than requested. */
const CANDIDATES = 4_000

/** Counts the hits of candidates until every hit class has `distinct` requests. */
export async function classify(
  organization: Organization,
  { products, distinct }: { products: number; distinct: number },
): Promise<Record<HitClass, Classified[]>> {
  const ranges = hitRanges(products)
  const classes: Record<HitClass, Classified[]> = { small: [], middle: [], large: [] }
  let looked = 0
  for (const request of candidates()) {
    if (++looked > CANDIDATES) break
    if (HIT_CLASSES.every((name) => classes[name].length >= distinct)) break
    const { count } = await organization.call<{ count: number }>(
      'POST',
      `/api/search/count?catalog=${CATALOG}`,
      request,
    )
    const name = classOf(count, ranges)
    if (name && classes[name].length < distinct) classes[name].push({ request, hits: count })
  }
  return classes
}

const SEARCHES = {
  search: '/api/search',
  simple: '/api/search/simple',
  count: '/api/search/count',
} as const

type Searching = keyof typeof SEARCHES

export const isSearching = (part: Part): part is Searching => part in SEARCHES

/** One workload for each hit class that has requests. */
export function searchWorkloads(
  part: Searching,
  classes: Readonly<Record<HitClass, readonly Classified[]>>,
  organization: Organization,
): Workload[] {
  const path = `${SEARCHES[part]}?catalog=${CATALOG}`
  return HIT_CLASSES.filter((name) => classes[name].length > 0).map((hitClass) => ({
    part,
    hitClass,
    hits: classes[hitClass].map(({ hits }) => hits),
    requests: classes[hitClass].map(({ request }) => organization.wire('POST', path, request)),
  }))
}

/** The workload of an operation whose cost does not depend on a hit class. */
export function otherWorkload(
  part: 'metadata' | 'quicksearch' | 'product',
  organization: Organization,
  { products, distinct }: { products: number; distinct: number },
): Workload {
  const paths = {
    metadata: () => [`/api/search/metadata?catalog=${CATALOG}`],
    quicksearch: () =>
      quickTexts(distinct).map(
        (text) => `/api/search/quicksearch?catalog=${CATALOG}&search=${encodeURIComponent(text)}`,
      ),
    product: () =>
      someIds(10 * distinct, products).map((id) => `/api/Catalog/${CATALOG}/products/${id}`),
  }
  return { part, hits: [], requests: paths[part]().map((path) => organization.wire('GET', path)) }
}
