import { openCatalog } from '../catalogs/store.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import type { SearchBody } from '../elastic/search.ts'
import type { Context } from '../operation.ts'
import { productsOf } from '../products/product-documents.ts'
import {
  type ProductView,
  type ViewableDocument,
  type Viewer,
  viewerOf,
  viewProduct,
  viewSource,
} from '../products/view.ts'
import type { SearchContext } from '../search/conditions.ts'
import { type Criteria, criteriaOf } from '../search/criteria.ts'
import type { Mode } from '../search/cursor.ts'
import { baseQuery } from '../search/queries.ts'
import { readingIn, runCount } from '../search/run.ts'
import { selectionClauses } from '../search/selections.ts'
import { NO_WORDS, type Reading, readingOf } from '../search/understanding/reading.ts'
import type { ExportCheckpoint, Selection } from './job.ts'

/** Where a page begins, and how many products it has at most. */
export interface PagePosition extends Pick<ExportCheckpoint, 'exported' | 'after' | 'mode'> {
  readonly size: number
}

export interface ProductPage {
  readonly products: readonly ProductView[]
  /** Products that were looked at, those that are gone included. */
  readonly seen: number
  readonly last: boolean
}

export interface ScanStart {
  readonly total: number
  readonly mode: Mode
}

/** Milliseconds for a page: nobody waits for it. */
const PAGE_MS = 15_000

interface CatalogScan {
  /** Null: the whole catalog. */
  readonly criteria: Criteria | null
  readonly reading: Reading
}

const criteriaOfScan = ({ search }: Selection): Criteria | null => search && criteriaOf(search)

/** The body of one page: in the order of the ids, which never change. */
function pageBody(
  { criteria, reading }: CatalogScan,
  { viewer, scope }: { viewer: Viewer; scope: string },
  { after, size }: Pick<PagePosition, 'after' | 'size'>,
): SearchBody {
  return {
    // One more than is shown: whether it goes on.
    size: size + 1,
    track_total_hits: false,
    _source: viewSource(viewer.organization),
    sort: [{ 'search.id': 'asc' }],
    ...(criteria ? { query: queryOf(criteria, reading, { ...viewer, scope }) } : {}),
    ...(after === null ? {} : { search_after: [after] }),
  }
}

/** Words decide what is found, as in a search, and nothing is scored. */
const queryOf = (criteria: Criteria, reading: Reading, context: SearchContext) =>
  baseQuery({ ...criteria, sort: 'name' }, context, {
    reading,
    more: selectionClauses(criteria, context),
  })

/** How many products there are, and by which words. Every write before it is seen. Throws NotFound. */
export async function beginScan(ctx: Context, selection: Selection): Promise<ScanStart> {
  const products = productsOf(ctx, await openCatalog(ctx, selection.catalog))
  const { signal } = ctx
  const options = { signal, timeoutMs: PAGE_MS }
  await refreshIndex(ctx.elastic, 'products', { signal })
  const criteria = criteriaOfScan(selection)
  if (!criteria) return { total: await products.count(undefined, options), mode: 'strict' }
  const viewer = viewerOf(ctx)
  const asker = { ...viewer, scope: products.place.scope! }
  const strict = await products.count(queryOf(criteria, readingOf(criteria), asker), options)
  if (strict > 0) return { total: strict, mode: 'strict' }
  const total = await runCount({ products, viewer, signal }, criteria)
  return { total, mode: total > 0 ? 'relaxed' : 'strict' }
}

/** Throws NotFound when the catalog is gone. */
export async function readScanPage(
  ctx: Context,
  selection: Selection,
  position: PagePosition,
): Promise<ProductPage> {
  const scope = await openCatalog(ctx, selection.catalog)
  const viewer = viewerOf(ctx)
  const products = productsOf(ctx, scope)
  const seen = { viewer, scope: products.place.scope! }
  const criteria = criteriaOfScan(selection)
  const target = { products, viewer, signal: ctx.signal }
  const reading = criteria ? await readingIn(target, criteria, position.mode) : NO_WORDS
  const body = pageBody({ criteria, reading }, seen, position)
  const options = { signal: ctx.signal, timeoutMs: PAGE_MS, most: Infinity }
  const { hits } = await products.search(body, options)
  const shown = hits.hits.slice(0, position.size)
  return {
    products: shown.map(({ _source }) => viewProduct(_source as ViewableDocument, viewer)),
    seen: shown.length,
    last: hits.hits.length <= position.size,
  }
}
