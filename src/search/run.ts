import type { Collection } from '../elastic/collection.ts'
import type { SearchAnswer, SearchBody } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import type { Product } from '../products/product.ts'
import type { SeenDocument, Viewer } from '../products/view.ts'
import type { Asker } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { fingerprint, type Mode, type Position, readCursor, writeCursor } from './cursor.ts'
import { type Facets, type Node, readFacets, readFacetValues } from './facet-answer.ts'
import { type Metadata, metadataOf } from './metadata.ts'
import {
  baseQuery,
  countQuery,
  facetValuesBody,
  metadataBody,
  relaxedCountBody,
  searchBody,
} from './queries.ts'
import {
  droppedWords,
  type FoundProduct,
  positionAfter,
  productsOf,
  shownHits,
  totalOf,
} from './results.ts'
import { selectionClauses } from './selections.ts'
import { isByWords, orderOf } from './sort.ts'
import type { Walk, Walks } from './walk.ts'

/** The catalog that is searched, and for whom. */
export interface Searched {
  readonly products: Pick<Collection<SeenDocument>, 'place' | 'search' | 'count'>
  readonly viewer: Viewer
  readonly signal: AbortSignal
  /** Absent where no request has a cursor. */
  readonly walks?: Walks
  /** The walk of this request, where it stays at one point in time. */
  readonly walk?: Walk | undefined
}

/** Whose annotations and words count in a search. */
const askerOf = ({ products, viewer }: Searched): Asker => ({
  organization: viewer.organization,
  username: viewer.username,
  scope: products.place.scope!,
})

/** What a search found; `metadata` and `cursor` only where they were asked for. */
export interface Found {
  readonly products: readonly FoundProduct[]
  /** The same products as they are stored; not part of the answer. */
  readonly stored: readonly Product[]
  readonly total: number
  readonly metadata?: Metadata
  readonly cursor?: string
  readonly droppedWords?: readonly string[]
}

/** Searches a catalog. Throws Invalid for a cursor of another search. */
export async function runSearch(searched: Searched, criteria: Criteria): Promise<Found> {
  const print = printOf(searched, criteria)
  const position = positionOf(searched, criteria, print)
  const walk = await walkOf(searched, criteria, position)
  try {
    return await pageOf({ ...searched, walk }, criteria, { print, position })
  } catch (error) {
    // A later page may be asked for again; of a first one nobody has the cursor.
    if (walk && !position) searched.walks?.leave(walk, undefined)
    throw error
  }
}

interface Page {
  readonly print: string
  readonly position: Position | undefined
}

async function pageOf(searched: Searched, criteria: Criteria, page: Page): Promise<Found> {
  const { answer, mode } = await answerOf(searched, criteria, page.position)
  const facets = criteria.metadata ? await facetsOf(searched, criteria, answer, mode) : undefined
  const hits = shownHits(answer, criteria)
  const next = positionAfter(answer, criteria, mode)
  const { walks, walk } = searched
  const left = walk && walks?.leave(walk, next && answer.pit_id)
  const cursor = next && walks?.seal(writeCursor(page.print, { ...next, walk: left }))
  const dropped = droppedWords(hits, criteria, mode)
  return {
    products: productsOf(hits, criteria, searched.viewer),
    stored: hits.map(({ _source }) => _source!.product),
    total: totalOf(answer),
    ...(facets ? { metadata: metadataOf(facets, criteria) } : {}),
    ...(cursor === undefined ? {} : { cursor }),
    ...(dropped === undefined ? {} : { droppedWords: dropped }),
  }
}

/** What makes a walk the same: the catalog, who asks, the conditions and the order. */
function printOf(searched: Searched, criteria: Criteria): string {
  if (criteria.cursor === null) return ''
  const asker = askerOf(searched)
  const more = selectionClauses(criteria, asker)
  const query = baseQuery(criteria, asker, { mode: 'strict', more })
  return fingerprint([asker.scope, asker.organization, query, orderOf(criteria).sort])
}

function positionOf({ walks }: Searched, criteria: Criteria, print: string) {
  if (!walks || criteria.cursor === null || criteria.cursor === '*') return undefined
  return readCursor(walks.open(criteria.cursor), { print, kinds: orderOf(criteria).kinds })
}

/** By the order of words alone; in others a product has its place from its own values. */
async function walkOf(
  { walks, signal }: Searched,
  criteria: Criteria,
  position: Position | undefined,
): Promise<Walk | undefined> {
  if (criteria.cursor === null || !isByWords(criteria)) return undefined
  if (!position) return walks?.begin(signal)
  return position.walk === undefined ? undefined : walks?.read(position.walk)
}

interface Answered {
  readonly answer: SearchAnswer<SeenDocument>
  readonly mode: Mode
}

/** All words first; when they match nothing, fewer and misspelt ones by one further request. */
async function answerOf(
  searched: Searched,
  criteria: Criteria,
  position: Position | undefined,
): Promise<Answered> {
  const { products, signal, walk } = searched
  const asker = askerOf(searched)
  const options = { signal, pointInTime: walk?.pointInTime, most: limits.answerBytes }
  const ask = (mode: Mode) =>
    products.search(searchBody(criteria, asker, { mode, position }), options)
  if (position) return { answer: await ask(position.mode), mode: position.mode }
  const strict = await ask('strict')
  if (totalOf(strict) > 0 || criteria.keywords === null) {
    return { answer: strict, mode: 'strict' }
  }
  const relaxed = await ask('relaxed')
  return strictMatches(relaxed)
    ? { answer: strict, mode: 'strict' }
    : { answer: relaxed, mode: 'relaxed' }
}

/** Selections alone left nothing of what all words match: that is an answer. */
const strictMatches = ({ aggregations }: SearchAnswer<unknown>): boolean =>
  ((aggregations?.strict as { doc_count?: number } | undefined)?.doc_count ?? 0) > 0

async function facetsOf(
  searched: Searched,
  criteria: Criteria,
  answer: SearchAnswer<unknown>,
  mode: Mode,
): Promise<Facets> {
  const { products, signal, walk } = searched
  const facets = readFacets((answer.aggregations ?? {}) as Node, criteria)
  const names = facets.incomplete
  if (names.length === 0) return facets
  const body: SearchBody = facetValuesBody(criteria, askerOf(searched), { mode, names })
  const again = await products.search(body, { signal, pointInTime: walk?.pointInTime })
  const values = readFacetValues((again.aggregations ?? {}) as Node, names)
  const better = [...facets.facets].map(
    ([name, counts]) => [name, values.get(name) ?? counts] as const,
  )
  return { ...facets, facets: new Map(better) }
}

/** What a catalog holds, without its products. */
export async function runMetadata(searched: Searched, criteria: Criteria): Promise<Metadata> {
  const { products, signal } = searched
  const answer = await products.search(metadataBody(criteria, askerOf(searched)), { signal })
  return metadataOf(await facetsOf(searched, criteria, answer, 'strict'), criteria)
}

/** The number of products that the same search finds. */
export async function runCount(searched: Searched, criteria: Criteria): Promise<number> {
  const { products, signal } = searched
  const asker = askerOf(searched)
  const strict = await products.count(countQuery(criteria, asker), { signal })
  if (strict > 0 || criteria.keywords === null) return strict
  const relaxed = await products.search(relaxedCountBody(criteria, asker), { signal })
  return strictMatches(relaxed) ? 0 : totalOf(relaxed)
}
