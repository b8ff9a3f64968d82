import type { Collection } from '../elastic/collection.ts'
import type { Hit, SearchAnswer, SearchBody } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import type { Product } from '../products/product.ts'
import type { ViewableDocument, Viewer } from '../products/view.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { type CursorPosition, fingerprint, type Mode, readCursor, writeCursor } from './cursor.ts'
import { groupIdsOf, groupTotalOf, type ProductGroup, readVariants } from './groups.ts'
import { type Metadata, metadataOf } from './metadata-response.ts'
import {
  baseQuery,
  countBody,
  countQuery,
  facetValuesBody,
  metadataBody,
  pageVariantsBody,
  relaxedCountBody,
  searchBody,
} from './queries.ts'
import { type AggregationNode, type Facets, readFacets, readFacetValues } from './read-facets.ts'
import {
  type FoundProduct,
  positionAfter,
  productsOf,
  type ReadWords,
  readWords,
  shownHits,
  totalOf,
} from './results.ts'
import { selectionClauses } from './selections.ts'
import { isByWords, orderOf } from './sort.ts'
import type { Tuning } from './tuning/tuning.ts'
import { NO_WORDS, type Reading, readingOf } from './understanding/reading.ts'
import { correctionsIn } from './understanding/spelling.ts'
import type { StepName } from './understanding/understanding.ts'
import type { CursorWalk, CursorWalks } from './walk.ts'

/** The catalog that is searched, and for whom. */
export interface SearchTarget {
  readonly products: Pick<Collection<ViewableDocument>, 'place' | 'search' | 'count'>
  readonly viewer: Viewer
  readonly signal: AbortSignal
  /** Absent where no request has a cursor. */
  readonly walks?: CursorWalks
  /** The walk of this request, where it stays at one point in time. */
  readonly walk?: CursorWalk | undefined
  /** What the shop set for the searches of the catalog; absent: nothing. */
  readonly tuning?: Tuning | undefined
  /** Steps of understanding that are left out, to measure what each contributes. */
  readonly without?: ReadonlySet<StepName>
}

/** Whose annotations and words count in a search. */
const searchContextOf = ({ products, viewer, tuning }: SearchTarget): SearchContext => ({
  organization: viewer.organization,
  username: viewer.username,
  scope: products.place.scope!,
  tuning,
})

/** What a search found; `metadata` and `cursor` only where they were asked for. */
export interface SearchResult extends ReadWords {
  readonly products: readonly FoundProduct[]
  /** The same products as they are stored; not part of the answer. */
  readonly stored: readonly Product[]
  readonly total: number
  readonly metadata?: Metadata
  readonly cursor?: string
}

/** Searches a catalog. Throws Invalid for a cursor of another search. */
export async function runSearch(target: SearchTarget, criteria: Criteria): Promise<SearchResult> {
  const print = printOf(target, criteria)
  const position = positionOf(target, criteria, print)
  const walk = await walkOf(target, criteria, position)
  try {
    return await pageOf({ ...target, walk }, criteria, { print, position })
  } catch (error) {
    // A later page may be asked for again; of a first one nobody has the cursor.
    if (walk && !position) target.walks?.leave(walk, undefined)
    throw error
  }
}

interface PageStart {
  readonly print: string
  readonly position: CursorPosition | undefined
}

async function pageOf(
  target: SearchTarget,
  criteria: Criteria,
  page: PageStart,
): Promise<SearchResult> {
  const { answer, reading } = await answerOf(target, criteria, page.position)
  const hits = shownHits(answer, criteria)
  const [facets, groups] = await Promise.all([
    criteria.metadata ? facetsOf(target, criteria, answer, reading) : undefined,
    criteria.group ? groupsOf(target, criteria, { hits, reading }) : undefined,
  ])
  const next = positionAfter(answer, criteria, reading.mode)
  const { walks, walk } = target
  const left = walk && walks?.leave(walk, next && answer.pit_id)
  const cursor = next && walks?.seal(writeCursor(page.print, { ...next, walk: left }))
  return {
    products: productsOf(hits, criteria, { reading, viewer: target.viewer, groups }),
    stored: hits.map(({ _source }) => _source!.product),
    total: criteria.group ? groupTotalOf(answer) : totalOf(answer),
    ...(facets ? { metadata: metadataOf(facets, criteria) } : {}),
    ...(cursor === undefined ? {} : { cursor }),
    ...readWords(hits, criteria, reading),
  }
}

/** What makes a walk the same: the catalog, who asks, the conditions and the order. */
function printOf(target: SearchTarget, criteria: Criteria): string {
  if (criteria.cursor === null) return ''
  const context = searchContextOf(target)
  const more = selectionClauses(criteria, context)
  const query = baseQuery(criteria, context, { reading: readingOf(criteria), more })
  return fingerprint([context.scope, context.organization, query, orderOf(criteria).sort])
}

function positionOf({ walks }: SearchTarget, criteria: Criteria, print: string) {
  if (!walks || criteria.cursor === null || criteria.cursor === '*') return undefined
  return readCursor(walks.open(criteria.cursor), { print, kinds: orderOf(criteria).kinds })
}

/** By the order of words alone; in others a product has its place from its own values. */
async function walkOf(
  { walks, signal }: SearchTarget,
  criteria: Criteria,
  position: CursorPosition | undefined,
): Promise<CursorWalk | undefined> {
  if (criteria.cursor === null || !isByWords(criteria)) return undefined
  if (!position) return walks?.begin(signal)
  return position.walk === undefined ? undefined : walks?.read(position.walk)
}

interface ReadAnswer {
  readonly answer: SearchAnswer<ViewableDocument>
  readonly reading: Reading
}

/** All words first; when they match nothing, fewer and misspelt ones by one further request. */
async function answerOf(
  target: SearchTarget,
  criteria: Criteria,
  position: CursorPosition | undefined,
): Promise<ReadAnswer> {
  const { products, signal, walk } = target
  const context = searchContextOf(target)
  const options = { signal, pointInTime: walk?.pointInTime, most: limits.answerBytes }
  const ask = async (reading: Reading) => ({
    answer: await products.search(searchBody(criteria, context, { reading, position }), options),
    reading,
  })
  if (position) return ask(await readingIn(target, criteria, position.mode))
  const asked = readingOf(criteria, target)
  const strict = await ask(asked)
  if (totalOf(strict.answer) > 0 || criteria.keywords === null) return strict
  const relaxed = await ask(relaxedBy(strict.answer, asked))
  return strictMatches(relaxed.answer) ? strict : relaxed
}

/** Fewer words, and what the answer suggests for those that the catalog does not have. */
const relaxedBy = ({ suggest }: SearchAnswer<unknown>, reading: Reading): Reading => ({
  ...reading,
  mode: 'relaxed',
  corrections: reading.asked ? correctionsIn(suggest, reading.asked) : new Map(),
})

/** The reading of a search whose mode is known, as its first page found it. */
export async function readingIn(
  target: SearchTarget,
  criteria: Criteria,
  mode: Mode,
): Promise<Reading> {
  const asked = readingOf(criteria, target)
  return mode === 'strict' ? asked : relaxedReading(target, asked)
}

/** Fewer words where no answer came before. */
async function relaxedReading(target: SearchTarget, reading: Reading): Promise<Reading> {
  const body = countBody({ match_none: {} }, searchContextOf(target), { reading })
  return relaxedBy(await target.products.search(body, { signal: target.signal }), reading)
}

/** Selections alone left nothing of what all words match: that is an answer. */
const strictMatches = ({ aggregations }: SearchAnswer<unknown>): boolean =>
  ((aggregations?.strict as { doc_count?: number } | undefined)?.doc_count ?? 0) > 0

/** The variants of each group of a page: one further request, however many there are. */
async function groupsOf(
  target: SearchTarget,
  criteria: Criteria,
  { hits, reading }: { hits: readonly Hit<ViewableDocument>[]; reading: Reading },
): Promise<ReadonlyMap<string, ProductGroup>> {
  const ids = groupIdsOf(hits.map(({ _source }) => _source!))
  if (ids.length === 0) return new Map()
  const body = pageVariantsBody(criteria, searchContextOf(target), { reading, ids })
  return readVariants(await target.products.search(body, { signal: target.signal }))
}

async function facetsOf(
  target: SearchTarget,
  criteria: Criteria,
  answer: SearchAnswer<unknown>,
  reading: Reading,
): Promise<Facets> {
  const { products, signal, walk } = target
  const facets = readFacets((answer.aggregations ?? {}) as AggregationNode, criteria)
  const names = facets.incomplete
  if (names.length === 0) return facets
  const body: SearchBody = facetValuesBody(criteria, searchContextOf(target), { reading, names })
  const again = await products.search(body, { signal, pointInTime: walk?.pointInTime })
  const values = readFacetValues((again.aggregations ?? {}) as AggregationNode, names)
  const better = [...facets.facets].map(
    ([name, counts]) => [name, values.get(name) ?? counts] as const,
  )
  return { ...facets, facets: new Map(better) }
}

/** What a catalog holds, without its products. */
export async function runMetadata(target: SearchTarget, criteria: Criteria): Promise<Metadata> {
  const { products, signal } = target
  const answer = await products.search(metadataBody(criteria, searchContextOf(target)), { signal })
  return metadataOf(await facetsOf(target, criteria, answer, NO_WORDS), criteria)
}

/** The number of products, or of groups, that the same search finds. */
export async function runCount(target: SearchTarget, criteria: Criteria): Promise<number> {
  const { products, signal } = target
  const context = searchContextOf(target)
  const asked = readingOf(criteria, target)
  const query = countQuery(criteria, context, asked)
  const { group } = criteria
  if (criteria.keywords === null && !group) return products.count(query, { signal })
  const foundIn = group ? groupTotalOf : totalOf
  const strict = await products.search(countBody(query, context, { reading: asked, group }), {
    signal,
  })
  if (totalOf(strict) > 0 || criteria.keywords === null) return foundIn(strict)
  const reading = relaxedBy(strict, asked)
  const relaxed = await products.search(relaxedCountBody(criteria, context, reading), { signal })
  return strictMatches(relaxed) ? 0 : foundIn(relaxed)
}
