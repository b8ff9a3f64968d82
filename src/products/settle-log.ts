import { productPlaces } from '../catalogs/product-places.ts'
import type { ProductPlace } from '../catalogs/store.ts'
import { fittingSlices } from '../elastic/bounded-reads.ts'
import { type BulkItem, bulk } from '../elastic/bulk.ts'
import { createBulkPortions } from '../elastic/bulk-portions.ts'
import type { Elastic } from '../elastic/client.ts'
import type { Stored } from '../elastic/collection.ts'
import { ALL_PRODUCTS } from '../elastic/own-index.ts'
import { scanAllScopes } from '../elastic/scan.ts'
import { ignoring, Stale } from '../errors.ts'
import { DEFAULT_LANGUAGE, type Language } from '../languages/language.ts'
import type { Services } from '../operation.ts'
import { createAdmission } from '../platform/admission.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { token } from '../text.ts'
import { storeEntriesWithOthers, storePendingEntries } from './change-log.ts'
import type { ProductDocument } from './product.ts'
import {
  inCurrentIndex,
  productsOf,
  readToWrite,
  type WrittenCatalog,
  withSearch,
} from './product-documents.ts'

type WrittenPlace = ProductPlace & WrittenCatalog

/** A product and the place where it is stored. */
export interface ProductTarget {
  readonly scope: WrittenPlace
  readonly id: string
}

type StoredProductDocument = Stored<ProductDocument>

/**
 * Products whose entries are being stored, each with the newest version that was written since: it
 * has the entries of all before it.
 */
const settlingOf = memoizeWeak<Elastic, Map<string, StoredProductDocument | undefined>>(
  () => new Map(),
)

/** Stores a document's pending log entries in the background, then clears them. */
export function settleLog(
  services: Services,
  { scope, id }: ProductTarget,
  at: StoredProductDocument,
): void {
  if (at.source.pending.length === 0) return
  const settling = settlingOf(services.elastic)
  const key = token(scope.owner, scope.name, id)
  const isSettling = settling.has(key)
  const newest = settling.get(key)
  if (!newest || newest.seqNo < at.seqNo) settling.set(key, at)
  if (isSettling) return
  const settleAll = async () => {
    try {
      for (let next = settling.get(key); next; next = settling.get(key)) {
        settling.set(key, undefined)
        await settle(services, scope, id, next)
      }
    } finally {
      settling.delete(key)
    }
  }
  if (!services.background.run(NAME, settleAll)) settling.delete(key)
}

/** Like settleLog, for a document whose version is not known. */
export function settleStoredLog(services: Services, target: ProductTarget): void {
  services.background.run(NAME, () => settleStored(services, target))
}

const NAME = 'store the change log'

async function settleStored(services: Services, { scope, id }: ProductTarget): Promise<void> {
  const at = await readToWrite(services, scope, id)
  if (at?.source.pending.length) await settle(services, scope, id, at)
}

/** Bounds the products that are cleared at once, since the entries of many are stored together. */
const clears = createAdmission({ capacity: 16, waiting: Infinity, what: 'products to clear' })

// The log is searchable before the entries leave the document, so that a reader misses none. After
// a concurrent write, that write settles what is left.
async function settle(
  services: Services,
  scope: WrittenPlace,
  id: string,
  at: Stored<ProductDocument>,
) {
  await storeEntriesWithOthers(services, scope.owner, at.source)
  const clear = () =>
    productsOf(services, scope).replace(id, withSearch(scope, { ...at.source, pending: [] }), at)
  await clears.run(scope.owner, clear).catch(ignoring(Stale))
}

const PAGE = 50
const AGE_MS = 5_000
/** Milliseconds after which a call returns, so that it does not delay a shutdown. */
const SLICE_MS = 3_000

/** Stores log entries that a process left pending when it ended. Called periodically. */
export async function flushPending(services: Services): Promise<void> {
  const deadline = performance.now() + SLICE_MS
  const before = services.clock.now().getTime() - AGE_MS
  const pending = { term: { 'search.pending': true } }
  const old = { range: { 'search.updated': { lte: before } } }
  const left = scanAllScopes<{ product: { id: string }; language?: Language }>(
    services.elastic,
    ALL_PRODUCTS,
    {
      _source: ['scope', 'product.id', 'language'],
      query: { bool: { filter: [pending, old] } },
      size: PAGE,
      sort: ['search.updated', 'scope', 'search.id'],
    },
  )
  for await (const batch of left) {
    const places = await productPlaces(
      services,
      batch.map(({ scope }) => scope),
    )
    // In parallel, since each of them waits for the log to become searchable.
    const results = await Promise.allSettled(
      [...Map.groupBy(batch, (one) => one.scope)].map(async ([scope, found]) => {
        const place = places.get(scope)
        if (!place) return
        const { language = DEFAULT_LANGUAGE } = found[0]!
        const ids = found.map(({ product: { id } }) => id)
        await settleMany(services, { ...place, language }, ids)
      }),
    )
    const failed = results.find((result) => result.status === 'rejected')
    if (failed)
      services.log.warn({ err: failed.reason }, 'an entry of the change log is still pending')
    if (performance.now() >= deadline) return
  }
}

/** Like settle, for many products, since an aborted request may leave thousands. */
const settleMany = (services: Services, scope: WrittenPlace, ids: readonly string[]) =>
  inCurrentIndex(services, scope, async (products) => {
    const portions = createBulkPortions<{ source: ProductDocument; item: BulkItem }>(
      async (all) => {
        const entries = all.map(({ source }) => source)
        await storePendingEntries(services, scope.owner, entries, { refresh: 'wait_for' })
        // Products that were written in between fail here, and the next run finds them.
        await bulk(
          services.elastic,
          all.map(({ item }) => item),
        )
      },
    )
    for (const slice of fittingSlices(services, products, ids)) {
      for (const at of await products.getMany(slice, { most: Infinity })) {
        if (!at?.source.pending.length) continue
        const { source } = at
        const cleared = withSearch(scope, { ...source, pending: [] })
        const item = products.bulkItem(source.product.id, cleared, at)
        await portions.add({ source, item })
      }
    }
    await portions.flush()
  })
