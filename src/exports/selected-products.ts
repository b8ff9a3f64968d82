import { openCatalog } from '../catalogs/store.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import type { ProductNames } from '../formats/file-writer.ts'
import type { Context } from '../operation.ts'
import { productsOf } from '../products/product-documents.ts'
import { readCatalogProducts } from '../products/references.ts'
import {
  type ProductView,
  type ViewableDocument,
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
import { ruledCriteria } from '../search/target.ts'
import { tuningFor } from '../search/tuning/store.ts'
import { type Reading, readingOf } from '../search/understanding/reading.ts'
import type { ExportCheckpoint, Selection } from './job.ts'
import { namesInCatalog, namesOf } from './product-names.ts'

/** Where a page begins, and the most products that it has. */
export interface PagePosition extends Pick<ExportCheckpoint, 'exported' | 'after' | 'mode'> {
  readonly size: number
}

export interface ProductPage {
  readonly products: readonly ProductView[]
  /** Products that were read, those that no longer exist included. */
  readonly seen: number
  readonly last: boolean
}

/** Milliseconds for a page; no caller waits for it. */
const PAGE_MS = 15_000
const AT_ONCE = 100

/** A query for what a search finds: its words decide, and nothing is scored. */
const queryOf = (criteria: Criteria, reading: Reading, context: SearchContext) =>
  baseQuery({ ...criteria, sort: 'name' }, context, {
    reading,
    more: selectionClauses(criteria, context),
  })

/** The number of products, and the mode of the search. Throws NotFound when the catalog is gone. */
export async function beginExport(
  ctx: Context,
  { products: chosen, catalog, search }: Selection,
): Promise<{ readonly total: number; readonly mode: Mode }> {
  if (chosen) return { total: chosen.length, mode: 'strict' }
  const scope = await openCatalog(ctx, catalog)
  const { language } = scope
  const products = productsOf(ctx, scope)
  const { signal } = ctx
  const options = { signal, timeoutMs: PAGE_MS }
  await refreshIndex(ctx.elastic, 'products', { signal })
  if (!search) return { total: await products.count(undefined, options), mode: 'strict' }
  const viewer = viewerOf(ctx)
  const tuning = await tuningFor(ctx, scope)
  const target = { products, viewer, language, signal, tuning, now: ctx.clock.now() }
  const criteria = ruledCriteria(target, criteriaOf(search))
  const context = { ...viewer, language, scope: products.place.scope!, tuning }
  const asked = readingOf(criteria, { language, tuning })
  const strict = await products.count(queryOf(criteria, asked, context), options)
  if (strict > 0) return { total: strict, mode: 'strict' }
  const total = await runCount(target, criteria)
  return { total, mode: total > 0 ? 'relaxed' : 'strict' }
}

/** One page of products as the caller sees them. Throws NotFound when the catalog is gone. */
export const readPage = (
  ctx: Context,
  selection: Selection,
  position: PagePosition,
): Promise<ProductPage> =>
  selection.products
    ? readChosen(ctx, selection.products, position)
    : readCatalog(ctx, selection, position)

async function readChosen(
  ctx: Context,
  products: NonNullable<Selection['products']>,
  { exported, size }: PagePosition,
): Promise<ProductPage> {
  const chosen = products.slice(exported, exported + size)
  const documents = await readCatalogProducts(
    ctx,
    chosen.map(({ catalog, id }) => ({ catalog, productId: id })),
  )
  const viewer = viewerOf(ctx)
  return {
    products: documents.flatMap((document) => (document ? [viewProduct(document, viewer)] : [])),
    seen: chosen.length,
    last: exported + size >= products.length,
  }
}

/** In the order of the ids, which never change. */
async function readCatalog(
  ctx: Context,
  { catalog, search }: Selection,
  { mode, after, size }: PagePosition,
): Promise<ProductPage> {
  const scope = await openCatalog(ctx, catalog)
  const { language } = scope
  const products = productsOf(ctx, scope)
  const viewer = viewerOf(ctx)
  const tuning = await tuningFor(ctx, scope)
  const context = { ...viewer, language, scope: products.place.scope!, tuning }
  const target = { products, viewer, language, signal: ctx.signal, tuning, now: ctx.clock.now() }
  const criteria = search && ruledCriteria(target, criteriaOf(search))
  const reading = criteria && (await readingIn(target, criteria, mode))
  const { hits } = await products.search(
    {
      // One more than the page has tells whether another one follows.
      size: size + 1,
      track_total_hits: false,
      _source: viewSource(viewer.organization),
      sort: [{ 'search.id': 'asc' }],
      ...(criteria && reading ? { query: queryOf(criteria, reading, context) } : {}),
      ...(after === null ? {} : { search_after: [after] }),
    },
    { signal: ctx.signal, timeoutMs: PAGE_MS, most: Infinity },
  )
  const shown = hits.hits.slice(0, size)
  return {
    products: shown.map(({ _source }) => viewProduct(_source as ViewableDocument, viewer)),
    seen: shown.length,
    last: hits.hits.length <= size,
  }
}

/** The names of values that the products have besides their fixed fields. */
export async function namesFor(ctx: Context, selection: Selection): Promise<ProductNames> {
  if (!selection.products) return namesInCatalog(ctx, selection.catalog)
  const all: Parameters<typeof namesOf>[0][number][] = []
  for (let exported = 0, last = false; !last; exported += AT_ONCE) {
    const position = { exported, after: null, mode: 'strict', size: AT_ONCE } as const
    const page = await readPage(ctx, selection, position)
    for (const { facets, filters, groupId, options } of page.products) {
      all.push({
        facets,
        filters,
        attributes: {},
        groupId: groupId ?? null,
        options: options ?? {},
      })
    }
    last = page.last
  }
  return namesOf(all)
}
