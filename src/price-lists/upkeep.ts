import { NO_LISTS, type PriceList, withoutList } from '../catalogs/price-lists/price-list.ts'
import { listsOf } from '../catalogs/price-lists/store.ts'
import { productPlaces } from '../catalogs/product-places.ts'
import { PRICE_LISTS, type ProductPlace } from '../catalogs/store.ts'
import { fittingSlices } from '../elastic/bounded-reads.ts'
import { type BulkItem, type BulkResult, bulk } from '../elastic/bulk.ts'
import { createBulkPortions } from '../elastic/bulk-portions.ts'
import { changeDocument } from '../elastic/change-document.ts'
import { term } from '../elastic/clauses.ts'
import { ALL_PRODUCTS } from '../elastic/own-index.ts'
import { inAllScopes, searchPages } from '../elastic/scan.ts'
import type { Query } from '../elastic/search.ts'
import { Unavailable } from '../errors.ts'
import { DEFAULT_LANGUAGE } from '../languages/language.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { createPacing } from '../platform/pacing.ts'
import { withLines } from '../products/list-prices.ts'
import {
  inCurrentIndex,
  productsOf,
  type StoredProduct,
  withSearch,
} from '../products/product-documents.ts'
import { enterBackground } from '../tasks/background-admission.ts'

/** Number of products that are searched for at once. */
const PAGE = 250
/** Number of due products that are searched for at once. */
const READ = 50
/** Number of catalogs that are worked on in turn. */
const CATALOGS = 1_000
/** When the first price of a product starts or expires that the index does not have yet. */
const PRICES_DUE = 'search.pricesDue'
/** Milliseconds after which a call returns, so that it does not delay a shutdown. */
const SLICE_MS = 3_000
const CONFLICT = 409

/**
 * Rewrites the list prices of products of a catalog in pieces. Products that were changed meanwhile
 * are skipped, and the next run finds them. If a write fails, throws Unavailable after all others.
 */
async function* rewrite(
  services: Services,
  place: ProductPlace,
  found: readonly PricedHit[],
  change: (document: StoredProduct) => StoredProduct,
): AsyncGenerator<void> {
  let refused: BulkResult | undefined
  for (const slice of fittingSlices(services, productsOf(services, place), found)) {
    const ids = slice.map(({ product: { id } }) => id)
    await givingWay(services, familyOf(place), () =>
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
    yield
  }
  if (refused) throw new Unavailable(`A product was not written: ${refused.reason ?? ''}`)
}

/** Writes like an import: others have as much time afterwards, while they are active. */
async function givingWay(services: Services, family: string, write: () => Promise<void>) {
  const leave = await enterBackground(services, family, { rests: true })
  await write().finally(leave)
}

/** A parent and its sub-organizations take turns as one. */
const familyOf = ({ owner, known }: ProductPlace): string => known?.root ?? owner

interface PricedHit {
  readonly product: { readonly id: string }
}

/** Collects failures until the end, so that one catalog does not hold up the others. */
function failuresOf() {
  const all: unknown[] = []
  const note = (error: unknown) => {
    all.push(error)
  }
  return {
    note,
    /** The same pieces, up to a failure. */
    async *noting(pieces: AsyncGenerator<void>): AsyncGenerator<void> {
      try {
        yield* pieces
      } catch (error) {
        note(error)
      }
    },
    throwFirst: () => {
      if (all.length > 0) throw all[0]
    },
  }
}

interface FamilyTurns {
  /** Works on a catalog; each `yield` ends a piece. */
  readonly piecesOf: (place: ProductPlace) => AsyncIterator<void>
  /** Called with the failure of a catalog, which is left for the next slice. */
  readonly note: (error: unknown) => void
}

/**
 * Works on catalogs in pieces until the slice ends. Families take turns, and the catalogs of each in
 * its turns, so that nobody with much due work delays another. Any family may begin, since a slice
 * may end before all have had a turn.
 */
async function inFamilyTurns(
  due: readonly ProductPlace[],
  { piecesOf, note }: FamilyTurns,
): Promise<void> {
  const deadline = performance.now() + SLICE_MS
  const works = due.map((place) => ({ family: familyOf(place), pieces: piecesOf(place) }))
  const all = [...Map.groupBy(works, ({ family }) => family)]
  const first = Math.floor(Math.random() * all.length)
  const families = new Map([...all.slice(first), ...all.slice(0, first)])
  const failed = (error: unknown) => {
    note(error)
    return { done: true }
  }
  while (families.size > 0) {
    for (const [family, [work, ...others]] of families) {
      if (performance.now() >= deadline) return
      const { done } = await work!.pieces.next().catch(failed)
      const left = done ? others : [...others, work!]
      if (left.length > 0) families.set(family, left)
      else families.delete(family)
    }
  }
}

/** Reindexes the products for which a price has started or expired. */
export async function applyPeriods(services: Services): Promise<void> {
  const failures = failuresOf()
  const now = services.clock.now()
  const asOf = now.toISOString()
  const query = { range: { [PRICES_DUE]: { lte: now.getTime() } } }
  const body = { query, size: READ, _source: ['product.id'], sort: [PRICES_DUE, 'search.id'] }
  const due = await dueCatalogs(services, ALL_PRODUCTS, { field: PRICES_DUE, query })
  const piecesOf = async function* (place: ProductPlace) {
    const products = productsOf(services, place)
    for await (const hits of searchPages((asked) => products.search(asked), body)) {
      const found = hits.map(({ _source }) => _source!)
      const started = (document: StoredProduct) => ({
        ...document,
        listPrices: { ...document.listPrices!, asOf },
      })
      yield* failures.noting(rewrite(services, place, found, started))
    }
  }
  await inFamilyTurns(due, { piecesOf, note: failures.note })
  failures.throwFirst()
}

interface DueQuery {
  readonly field: string
  readonly query: Query
}

/** The catalogs with documents that the query finds, in the order of their first `field`. */
async function dueCatalogs(
  services: Services,
  kind: string,
  { field, query }: DueQuery,
): Promise<ProductPlace[]> {
  const { aggregations } = await inAllScopes(services.elastic, kind).search({
    size: 0,
    query,
    aggs: {
      catalogs: {
        terms: { field: 'scope', size: CATALOGS, order: { since: 'asc' } },
        aggs: { since: { min: { field } } },
      },
    },
  })
  const { buckets } = aggregations!.catalogs as { buckets: readonly { key: string }[] }
  const scopes = buckets.map(({ key }) => key)
  const places = await productPlaces(services, scopes)
  return scopes.flatMap((scope) => places.get(scope) ?? [])
}

/** Removes the prices of lists marked as deleted and then the lists, which frees their slots. */
export async function removeDeletedLists(services: Services): Promise<void> {
  const failures = failuresOf()
  // A request that read a list just before it was marked may still write prices.
  const before = new Date(services.clock.now().getTime() - limits.catalogRemovalMs).toISOString()
  const query = { range: { deleted: { lte: before } } }
  const due = await dueCatalogs(services, 'price-lists', { field: 'deleted', query })
  const piecesOf = async function* (place: ProductPlace) {
    const { lists } = (await listsOf(services, place).get(PRICE_LISTS))?.source ?? NO_LISTS
    for (const list of lists) {
      if (list.deleted === null || list.deleted > before) continue
      yield* failures.noting(removeList(services, place, list))
    }
  }
  await inFamilyTurns(due, { piecesOf, note: failures.note })
  failures.throwFirst()
}

/** Removes the prices of a list in pieces, then the list. */
async function* removeList(
  services: Services,
  place: ProductPlace,
  { id: list, slot }: PriceList,
): AsyncGenerator<void> {
  const products = productsOf(services, place)
  const query = term('search.priceLists', list)
  for (;;) {
    await products.refresh({ shared: true })
    const found = await products.find({ query, size: PAGE, _source: ['product.id'] })
    if (found.length === 0) break
    yield* rewrite(services, place, found, (document) =>
      withLines(document, { list, slot, at: document.listPrices!.asOf }, []),
    )
  }
  await changeDocument(
    listsOf(services, place),
    PRICE_LISTS,
    // The document is undefined if the catalog was deleted.
    (document) => document && withoutList(document, list),
    { signal: AbortSignal.timeout(SLICE_MS) },
  )
  yield
}
