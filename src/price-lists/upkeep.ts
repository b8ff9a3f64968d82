import {
  type PriceList,
  type PriceListsDocument,
  withoutList,
} from '../catalogs/price-lists/price-list.ts'
import { listsOf } from '../catalogs/price-lists/store.ts'
import { productPlaces } from '../catalogs/product-places.ts'
import { PRICE_LISTS, type ProductPlace } from '../catalogs/store.ts'
import { type BulkItem, type BulkResult, bulk } from '../elastic/bulk.ts'
import { createBulkPortions } from '../elastic/bulk-portions.ts'
import { changeDocument } from '../elastic/change-document.ts'
import { term } from '../elastic/clauses.ts'
import { collection } from '../elastic/collection.ts'
import { ALL_PRODUCTS } from '../elastic/own-index.ts'
import { type Scoped, scanAllScopes, searchPages } from '../elastic/scan.ts'
import type { Hit, Query } from '../elastic/search.ts'
import { Unavailable } from '../errors.ts'
import { DEFAULT_LANGUAGE } from '../languages/language.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { inTurn } from '../platform/in-turn.ts'
import { createPacing } from '../platform/pacing.ts'
import { slicesOf } from '../platform/slices.ts'
import { withLines } from '../products/list-prices.ts'
import {
  inCurrentIndex,
  productsOf,
  type StoredProduct,
  withSearch,
} from '../products/product-documents.ts'
import { enterBackground } from '../tasks/background-place.ts'

/** Number of products that are searched for at once. */
const PAGE = 250
/** Number of documents that are read at once, since each may have several MiB. */
const READ = 50
/** Number of catalogs whose due prices are looked for at once. */
const CATALOGS = 1_000
/** Milliseconds after which a call returns, so that it does not delay a shutdown. */
const SLICE_MS = 3_000
/** Milliseconds of it for one list, so that those of other owners are removed as well. */
const TURN_MS = 500
const CONFLICT = 409

/**
 * Rewrites the list prices of products of a catalog. Products that were changed meanwhile are
 * skipped, and the next run finds them. If a write fails, throws Unavailable after all others.
 */
async function rewrite(
  services: Services,
  place: ProductPlace,
  found: readonly PricedHit[],
  change: (document: StoredProduct) => StoredProduct,
): Promise<void> {
  let refused: BulkResult | undefined
  for (const slice of slicesOf(found, READ)) {
    const ids = slice.map(({ product: { id } }) => id)
    await givingWay(services, () =>
      inCurrentIndex(services, place, async (products) => {
        const portions = createBulkPortions<{ item: BulkItem }>(async (all) => {
          const results = await bulk(
            services.elastic,
            all.map(({ item }) => item),
          )
          refused ??= results.find(({ status, error }) => error && status !== CONFLICT)
        })
        const read = await products.getMany(ids, { most: Infinity })
        const pace = createPacing()
        for (const at of read) {
          if (!at?.source.listPrices) continue
          const { language = DEFAULT_LANGUAGE, product } = at.source
          const next = withSearch({ ...place, language }, change(at.source))
          await portions.add({ item: products.bulkItem(product.id, next, at) })
          await pace()
        }
        await portions.flush()
      }),
    )
  }
  if (refused) throw new Unavailable(`A product was not written: ${refused.reason ?? ''}`)
}

/** Writes like an import: others have as much time afterwards, while they are active. */
async function givingWay(services: Services, write: () => Promise<void>): Promise<void> {
  const leave = await enterBackground(services)
  const began = performance.now()
  await write().finally(() => leave(Math.min(limits.restMs, performance.now() - began)))
}

/** A parent and its sub-organizations take turns as one. */
const familyOf = ({ owner, known }: ProductPlace): string => known?.root ?? owner

const scopesIn = (batch: readonly Scoped<unknown>[]) => batch.map(({ scope }) => scope)

interface PricedHit {
  readonly product: { readonly id: string }
}

/** Collects failures until the end, so that one catalog does not hold up the others. */
function failuresOf() {
  const all: unknown[] = []
  return {
    note: (error: unknown) => {
      all.push(error)
    },
    throwFirst: () => {
      if (all.length > 0) throw all[0]
    },
  }
}

/** A catalog, and the pages of its products that have due prices. */
interface DueCatalog {
  readonly place: ProductPlace
  readonly pages: AsyncIterator<readonly Hit<PricedHit>[]>
}

/**
 * Reindexes the products for which a price has started or expired, some of each catalog in turn, so
 * that no catalog or organization with many due prices delays another.
 */
export async function applyPeriods(services: Services): Promise<void> {
  const deadline = performance.now() + SLICE_MS
  const failures = failuresOf()
  const now = services.clock.now()
  const due = { range: { 'search.pricesDue': { lte: now.getTime() } } }
  const asOf = now.toISOString()
  for (let open = await dueCatalogs(services, due); open.length > 0; ) {
    const left: DueCatalog[] = []
    for (const catalog of open) {
      if (performance.now() >= deadline) return failures.throwFirst()
      const page = await catalog.pages.next()
      if (page.done) continue
      const found = page.value.map(({ _source }) => _source!)
      await rewrite(services, catalog.place, found, (document) => ({
        ...document,
        listPrices: { ...document.listPrices!, asOf },
      })).catch(failures.note)
      left.push(catalog)
    }
    open = left
  }
  failures.throwFirst()
}

/** The catalogs that have such products, those of each owner in turn, the longest overdue first. */
async function dueCatalogs(services: Services, query: Query): Promise<DueCatalog[]> {
  const all = collection(services.elastic, { kind: ALL_PRODUCTS, scope: [] })
  const { aggregations } = await all.search({
    size: 0,
    query,
    aggs: {
      catalogs: {
        terms: { field: 'scope', size: CATALOGS, order: { since: 'asc' } },
        aggs: { since: { min: { field: 'search.pricesDue' } } },
      },
    },
  })
  const { buckets } = aggregations!.catalogs as { buckets: readonly { key: string }[] }
  const places = await productPlaces(
    services,
    buckets.map(({ key }) => key),
  )
  const body = {
    query,
    size: READ,
    _source: ['product.id'],
    sort: ['search.pricesDue', 'search.id'],
  }
  const due = buckets.flatMap(({ key }) => places.get(key) ?? [])
  return inTurn(due, familyOf).map((place) => {
    const products = productsOf(services, place)
    return { place, pages: searchPages((asked) => products.search(asked), body) }
  })
}

/** Removes the prices of lists marked as deleted and then the lists, which frees their slots. */
export async function removeDeletedLists(services: Services): Promise<void> {
  const deadline = performance.now() + SLICE_MS
  const failures = failuresOf()
  // A request that read a list just before it was marked may still write prices.
  const before = new Date(services.clock.now().getTime() - limits.catalogRemovalMs).toISOString()
  const marked = scanAllScopes<PriceListsDocument>(services.elastic, 'price-lists', {
    query: { range: { deleted: { lte: before } } },
    sort: ['deleted', 'scope'],
  })
  for await (const batch of marked) {
    const places = await productPlaces(services, scopesIn(batch))
    const due = (batch as readonly Scoped<PriceListsDocument>[]).flatMap(({ scope, lists }) => {
      const place = places.get(scope)
      const removed = lists.filter(({ deleted }) => deleted !== null && deleted <= before)
      return place ? removed.map((list) => ({ place, list })) : []
    })
    for (const { place, list } of inTurn(due, (one) => familyOf(one.place))) {
      const until = Math.min(deadline, performance.now() + TURN_MS)
      await removeList(services, place, { list, deadline: until }).catch(failures.note)
      if (performance.now() >= deadline) return failures.throwFirst()
    }
  }
  failures.throwFirst()
}

interface ListRemoval {
  readonly list: PriceList
  readonly deadline: number
}

/** Removes the prices of a list, then the list once no product has any left. */
async function removeList(
  services: Services,
  place: ProductPlace,
  removal: ListRemoval,
): Promise<void> {
  if (!(await removePrices(services, place, removal))) return
  await changeDocument(
    listsOf(services, place),
    PRICE_LISTS,
    // The document is undefined if the catalog was deleted.
    (document) => document && withoutList(document, removal.list.id),
    { signal: AbortSignal.timeout(SLICE_MS) },
  )
}

/** Removes prices of the list until the deadline. Returns whether none is left. */
async function removePrices(
  services: Services,
  place: ProductPlace,
  { list: { id: list, slot }, deadline }: ListRemoval,
): Promise<boolean> {
  const products = productsOf(services, place)
  for (;;) {
    await products.refresh()
    const query = term('search.priceLists', list)
    const found = await products.find({ query, size: PAGE, _source: ['product.id'] })
    if (found.length === 0) return true
    if (performance.now() >= deadline) return false
    await rewrite(services, place, found, (document) =>
      withLines(document, { list, slot, at: document.listPrices!.asOf }, []),
    )
  }
}
