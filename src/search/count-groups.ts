import type { Hit, SearchAnswer } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import type { ViewableDocument } from '../products/view.ts'
import { countQuery } from './count-queries.ts'
import type { Criteria } from './criteria.ts'
import {
  exactGroupsBody,
  exactGroupsIn,
  groupIdsOf,
  groupTotalIn,
  largeGroups,
  type ProductGroup,
  readVariants,
} from './groups.ts'
import { pageVariantsBody } from './queries.ts'
import { type SearchTarget, searchContextOf } from './target.ts'
import type { Reading } from './understanding/reading.ts'

/** Estimates up to which an error of one has a probability of less than 1 in 5,000. */
const SURELY_EXACT = 100
/** The share by which an estimate may be too high. Elasticsearch cuts a list that is longer. */
const ESTIMATE_ERROR = 0.02

interface CountedGroups {
  readonly answer: SearchAnswer<unknown>
  readonly reading: Reading
}

/** The number of groups that match, exactly up to `limits.countedGroups`. */
export async function groupTotal(
  target: SearchTarget,
  criteria: Criteria,
  { answer, reading }: CountedGroups,
): Promise<number> {
  const { others, groups } = groupTotalIn(answer)
  const most = (1 + ESTIMATE_ERROR) * limits.countedGroups
  if (groups <= SURELY_EXACT || groups > most) return others + groups
  const body = exactGroupsBody(countQuery(criteria, searchContextOf(target), reading))
  const exact = exactGroupsIn(await target.products.search(body, { signal: target.signal }))
  return others + (exact ?? groups)
}

interface FoundHits {
  readonly hits: readonly Hit<ViewableDocument>[]
  readonly reading: Reading
}

/** Reads the variants of all groups of a page with one more request, or two for large groups. */
export async function groupsOf(
  target: SearchTarget,
  criteria: Criteria,
  { hits, reading }: FoundHits,
): Promise<ReadonlyMap<string, ProductGroup>> {
  const { products, signal } = target
  const context = searchContextOf(target)
  const ask = (ids: readonly string[], whole = false) =>
    products.search(pageVariantsBody(criteria, context, { reading, ids, whole }), { signal })
  const ids = groupIdsOf(hits.map(({ _source }) => _source!))
  if (ids.length === 0) return new Map()
  const answer = await ask(ids)
  const groups = readVariants(answer)
  const large = largeGroups(answer, ids.length)
  if (large.length === 0) return groups
  return new Map([...groups, ...readVariants(await ask(large, true))])
}
