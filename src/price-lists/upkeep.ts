import {
  type PriceList,
  type PriceListsDocument,
  withoutList,
} from '../catalogs/price-lists/price-list.ts'
import { listsOf } from '../catalogs/price-lists/store.ts'
import { type CatalogScope, PRICE_LISTS } from '../catalogs/store.ts'
import { bulk } from '../elastic/bulk.ts'
import { changeDocument } from '../elastic/change-document.ts'
import { term } from '../elastic/clauses.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { type Scoped, scanAllScopes } from '../elastic/scan.ts'
import { Unavailable } from '../errors.ts'
import { DEFAULT_LANGUAGE } from '../languages/language.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { withLines } from '../products/list-prices.ts'
import { productsOf, type StoredProduct, withSearch } from '../products/product-documents.ts'

/** Products that are rewritten at once. */
const PAGE = 250
/** Milliseconds after which a call hands back, so that it never holds up a stop. */
const SLICE_MS = 3_000
const CONFLICT = 409

type CatalogPlace = Pick<CatalogScope, 'owner' | 'name'>

const placeIn = (scope: string): CatalogPlace => {
  const [owner, name] = scope.split('/') as [string, string]
  return { owner, name }
}

/** Stores products of a catalog with other list prices. What somebody else changed is found again. */
async function rewrite(
  services: Services,
  place: CatalogPlace,
  found: readonly FoundProduct[],
  change: (document: StoredProduct) => StoredProduct,
): Promise<void> {
  const products = productsOf(services, place)
  const ids = found.map(({ product: { id } }) => id)
  const stored = await products.getMany(ids, { most: Infinity })
  const items = stored.flatMap((at) => {
    if (!at?.source.listPrices) return []
    const { language = DEFAULT_LANGUAGE, product } = at.source
    const next = withSearch({ ...place, language }, change(at.source))
    return [products.bulkItem(product.id, next, at)]
  })
  if (items.length === 0) return
  const results = await bulk(services.elastic, items)
  const failed = results.find(({ status, error }) => error && status !== CONFLICT)
  if (failed) throw new Unavailable(`A product was not written: ${failed.reason ?? ''}`)
}

interface FoundProduct {
  readonly product: { readonly id: string }
}

/** Has products searched by the prices of now whose prices began or ended to hold. */
export async function applyPeriods(services: Services): Promise<void> {
  const deadline = performance.now() + SLICE_MS
  const now = services.clock.now()
  const due = scanAllScopes<FoundProduct>(services.elastic, 'products', {
    _source: ['scope', 'product.id'],
    query: { range: { 'search.pricesDue': { lte: now.getTime() } } },
    size: PAGE,
    sort: ['scope', 'search.id'],
  })
  const asOf = now.toISOString()
  for await (const batch of due) {
    for (const [scope, products] of Map.groupBy(batch, (one) => one.scope)) {
      await rewrite(services, placeIn(scope), products, (document) => ({
        ...document,
        listPrices: { ...document.listPrices!, asOf },
      }))
    }
    if (performance.now() >= deadline) return
  }
}

/** Removes the prices of lists marked as deleted, then the lists, which frees their slots. */
export async function removeDeletedLists(services: Services): Promise<void> {
  const deadline = performance.now() + SLICE_MS
  // A request that found a list just before it was marked may still write prices.
  const before = new Date(services.clock.now().getTime() - limits.catalogRemovalMs).toISOString()
  const marked = scanAllScopes<PriceListsDocument>(services.elastic, 'price-lists', {
    query: { range: { deleted: { lte: before } } },
    sort: ['deleted', 'scope'],
  })
  for await (const batch of marked) {
    for (const { scope, lists } of batch as readonly Scoped<PriceListsDocument>[]) {
      const due = lists.filter(({ deleted }) => deleted !== null && deleted <= before)
      for (const list of due) {
        if (!(await removePrices(services, placeIn(scope), { list, deadline }))) return
        await removeList(services, placeIn(scope), list)
      }
    }
  }
}

/** Whether no product has prices of the list any more. */
async function removePrices(
  services: Services,
  place: CatalogPlace,
  { list: { id: list, slot }, deadline }: { list: PriceList; deadline: number },
): Promise<boolean> {
  const products = productsOf(services, place)
  for (;;) {
    await refreshIndex(services.elastic, 'products')
    const query = term('search.priceLists', list)
    const found = await products.find({ query, size: PAGE, _source: ['product.id'] })
    if (found.length === 0) return true
    if (performance.now() >= deadline) return false
    await rewrite(services, place, found, (document) =>
      withLines(document, { list, slot, at: document.listPrices!.asOf }, []),
    )
  }
}

const removeList = (services: Services, place: CatalogPlace, { id }: PriceList) =>
  changeDocument(
    listsOf(services, place),
    PRICE_LISTS,
    // Gone with its catalog.
    (document) => document && withoutList(document, id),
    { signal: AbortSignal.timeout(SLICE_MS) },
  )
