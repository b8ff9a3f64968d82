import type { AggregationNode } from '../elastic/answer-parts.ts'
import type { SearchAnswer, SearchBody } from '../elastic/search.ts'
import { categoryTree } from './category-tree.ts'
import type { Criteria } from './criteria.ts'
import type { CategoryBranch, RangeFacets } from './facet-response-schemas.ts'
import { type Metadata, shownMetadata } from './metadata-response.ts'
import { baseQuery, facetValuesBody } from './queries.ts'
import { rangeAggregations, readRanges } from './range-facets.ts'
import { type Facets, readFacets, readFacetValues, type ValueCounts } from './read-facets.ts'
import { shownFacets } from './restricted-criteria.ts'
import { type SearchTarget, searchContextOf } from './target.ts'
import type { Reading } from './understanding/reading.ts'

interface CountedAnswer {
  readonly answer: SearchAnswer<unknown>
  readonly reading: Reading
}

/** Metadata without the category tree, which may be many times as large as its paths. */
interface ReadMetadata {
  readonly metadata: Metadata
  readonly paths: ValueCounts
  /** The tree if it is short, with its characters. */
  tree?: { readonly branches: CategoryBranch[]; readonly length: number }
}

interface CachedMetadata extends ReadMetadata {
  readonly print: string
}

/** The last metadata cached from an answer, reused when a cached answer is requested again. */
const metadataCache = new WeakMap<object, CachedMetadata>()

/**
 * The metadata of an answer. One more request completes facets that it does not show well. The
 * result is shared and must not be modified.
 */
export async function metadataOf(
  target: SearchTarget,
  criteria: Criteria,
  counted: CountedAnswer,
): Promise<Metadata> {
  await target.piece?.turn()
  const known = await knownMetadata(target, criteria, counted)
  if (!criteria.facets?.tree) return known.metadata
  return { ...known.metadata, categoryTree: treeOf(known, target.piece?.spend) }
}

/** Characters of a count as JSON, besides its path. */
const COUNT = 40
/** How many times as long as its counts a kept tree may be. Those have a bound in all. */
const KEPT = 3

/** The category tree. A short one is kept, since making it takes longer than the rest. */
function treeOf(known: ReadMetadata, spend?: (characters: number) => void): CategoryBranch[] {
  if (known.tree) {
    spend?.(known.tree.length)
    return known.tree.branches
  }
  let length = 0
  const branches = categoryTree(known.paths, (characters) => {
    length += characters
    spend?.(characters)
  })
  let counts = 0
  for (const path of known.paths.keys()) counts += path.length + COUNT
  if (length <= KEPT * counts) known.tree = { branches, length }
  return branches
}

async function knownMetadata(
  target: SearchTarget,
  criteria: Criteria,
  counted: CountedAnswer,
): Promise<ReadMetadata> {
  const { aggregations } = counted.answer
  if (!aggregations) return readMetadata(target, criteria, counted)
  const print = printOf(target, criteria)
  const cached = metadataCache.get(aggregations)
  if (cached?.print === print) return cached
  const read = { print, ...(await readMetadata(target, criteria, counted)) }
  metadataCache.set(aggregations, read)
  return read
}

/** Fingerprint of everything besides the counts that the metadata depends on. */
function printOf({ tuning, viewer }: SearchTarget, criteria: Criteria): string {
  const { from, size, cursor, sort, highlight, selection, whole, ...counted } = criteria
  return JSON.stringify([counted, tuning?.facets, viewer.hide, viewer.prices?.list])
}

async function readMetadata(
  target: SearchTarget,
  criteria: Criteria,
  counted: CountedAnswer,
): Promise<ReadMetadata> {
  const facets = await facetsOf(target, criteria, counted)
  const { paths } = facets
  const metadata = shownMetadata(facets, criteria, target.tuning?.facets)
  if (!criteria.facets?.ranges) return { metadata, paths }
  const ranges = await rangesOf(target, criteria, { facets, reading: counted.reading })
  return { metadata: { ...metadata, ranges }, paths }
}

/** Counts ranges in a second request, since their bounds depend on the result of the first. */
async function rangesOf(
  target: SearchTarget,
  criteria: Criteria,
  { facets, reading }: { facets: Facets; reading: Reading },
): Promise<RangeFacets> {
  const { products, signal, walk } = target
  const context = searchContextOf(target)
  const body: SearchBody = {
    size: 0,
    track_total_hits: false,
    query: baseQuery(criteria, context, { reading }),
    aggs: rangeAggregations(criteria, context, facets),
  }
  const { aggregations } = await products.search(body, { signal, pointInTime: walk?.pointInTime })
  return readRanges((aggregations ?? {}) as AggregationNode, criteria, facets)
}

async function facetsOf(
  target: SearchTarget,
  criteria: Criteria,
  { answer, reading }: CountedAnswer,
): Promise<Facets> {
  const { products, signal, walk, viewer } = target
  const found = readFacets((answer.aggregations ?? {}) as AggregationNode, criteria)
  const facets = shownFacets(found, viewer)
  const names = facets.incomplete
  if (names.length === 0) return facets
  const body = facetValuesBody(criteria, searchContextOf(target), { reading, names })
  const again = await products.search(body, { signal, pointInTime: walk?.pointInTime })
  const values = readFacetValues((again.aggregations ?? {}) as AggregationNode, names)
  return { ...facets, facets: new Map([...facets.facets, ...values]) }
}
