import { withPriceList } from '../catalogs/price-lists/in-effect.ts'
import { openCatalog } from '../catalogs/store.ts'
import type { Query } from '../elastic/search.ts'
import type { Context } from '../operation.ts'
import { foundProductsOf } from '../products/product-documents.ts'
import { viewerOf } from '../products/view.ts'
import type { SearchContext } from '../search/conditions.ts'
import { type Criteria, criteriaOf } from '../search/criteria.ts'
import type { Mode } from '../search/cursor.ts'
import { baseQuery } from '../search/queries.ts'
import type { SearchRequest } from '../search/request-schemas.ts'
import type { ReadWords } from '../search/results.ts'
import { readingIn, runCount, runSearch } from '../search/run.ts'
import { selectionClauses } from '../search/selections.ts'
import { ruledCriteria, type SearchTarget, searchContextOf } from '../search/target.ts'
import { tuningFor } from '../search/tuning/store.ts'
import type { Reading } from '../search/understanding/reading.ts'
import { stopPhrasesOf } from '../search/understanding/stop-phrases.ts'
import type { ExportCheckpoint, ExportSelection } from './job.ts'

/** Where a page begins, and its maximum number of products. */
export interface PagePosition extends Pick<ExportCheckpoint, 'exported' | 'after' | 'mode'> {
  readonly size: number
}

/** Milliseconds for a page, for which no caller waits. */
const PAGE_MS = 15_000

/** The query of a search, without scoring. */
const queryOf = (criteria: Criteria, reading: Reading, context: SearchContext) =>
  baseQuery({ ...criteria, sort: 'name' }, context, {
    reading,
    more: selectionClauses(criteria, context),
  })

type Searched = Pick<ExportSelection, 'catalog' | 'search'>

interface TargetOptions {
  /** Whether all writes so far are found. */
  readonly refreshed?: boolean
  /** Whether only products with all words are found: none that are pinned, and no stop phrases. */
  readonly isExact?: boolean
}

/** The catalog to search, with the settings for everybody. */
async function targetOf(
  ctx: Context,
  { catalog, search }: Searched,
  { refreshed = false, isExact = false }: TargetOptions = {},
): Promise<SearchTarget> {
  const opened = await openCatalog(ctx, catalog)
  const { scope, prices } = await withPriceList(ctx, opened, search?.priceList ?? null)
  const products = foundProductsOf(ctx, scope, search ?? {})
  const { signal, clock } = ctx
  if (refreshed) await products.refresh({ signal, shared: true })
  const options = { signal, timeoutMs: PAGE_MS }
  const tuning = await tuningFor(ctx, scope)
  return {
    products: {
      ...products,
      search: (body, asked) => products.search(body, { ...asked, ...options }),
      count: (query, asked) => products.count(query, { ...asked, ...options }),
    },
    viewer: viewerOf(ctx, prices),
    language: scope.language,
    signal,
    tuning: isExact ? tuning && { ...tuning, stopPhrases: stopPhrasesOf([]) } : tuning,
    ignoresPins: isExact,
    now: clock.now(),
  }
}

/** The number of products, and the mode of the search. Throws NotFound when the catalog is gone. */
export async function beginExport(
  ctx: Context,
  { products: chosen, ...searched }: ExportSelection,
): Promise<{ readonly total: number; readonly mode: Mode }> {
  if (chosen) return { total: chosen.length, mode: 'strict' }
  const target = await targetOf(ctx, searched, { refreshed: true })
  return countIn(target, searched.search)
}

const criteriaFor = (search: SearchRequest): Criteria => ({ ...criteriaOf(search), group: false })

async function countIn(target: SearchTarget, search: SearchRequest | null) {
  if (!search) return { total: await target.products.count(), mode: 'strict' as const }
  return runCount(target, criteriaFor(search))
}

export interface FoundBySearch extends Pick<ReadWords, 'droppedWords' | 'correctedTo'> {
  readonly total: number
  /** Whether the search uses all words unchanged, as `readIds` does. */
  readonly isExact: boolean
}

/** What Search finds, and how it reads the words. Throws NotFound when the catalog is gone. */
export async function foundBySearch(ctx: Context, searched: Searched): Promise<FoundBySearch> {
  const target = await targetOf(ctx, searched, { refreshed: true, isExact: true })
  const { search } = searched
  const { total, mode } = await countIn(target, search)
  // When nothing is found by fewer words, nothing has all of them.
  if (!search || mode === 'strict' || (mode === 'relaxed' && total === 0)) {
    return { total, isExact: true }
  }
  const shown = await runSearch(target, { ...criteriaFor(search), metadata: false })
  return { ...shown, isExact: false }
}

/** A catalog and the query that limits the selection, as requested. */
export async function openSelection(
  ctx: Context,
  searched: Searched,
  { mode, ...options }: TargetOptions & { readonly mode: Mode },
) {
  const target = await targetOf(ctx, searched, options)
  const { products } = target
  const viewer = viewerOf(ctx)
  if (!searched.search) return { products, viewer, query: undefined }
  const criteria = ruledCriteria(target, criteriaFor(searched.search))
  const reading = await readingIn(target, criteria, mode)
  return { products, viewer, query: queryOf(criteria, reading, searchContextOf(target)) }
}

/** The search for the products after the id `after`. Ids never change. */
export const inOrderOfIds = (query: Query | undefined, after: string | null) => ({
  sort: [{ 'search.id': 'asc' as const }],
  ...(query ? { query } : {}),
  ...(after === null ? {} : { search_after: [after] }),
})
