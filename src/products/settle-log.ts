import { productPlaces } from '../catalogs/product-places.ts'
import type { ProductPlace } from '../catalogs/store.ts'
import { fittingSlices } from '../elastic/bounded-reads.ts'
import { type BulkItem, bulk } from '../elastic/bulk.ts'
import { createBulkPortions } from '../elastic/bulk-portions.ts'
import type { Elastic } from '../elastic/client.ts'
import type { Stored } from '../elastic/collection.ts'
import { ALL_PRODUCTS } from '../elastic/own-index.ts'
import { scanAllScopes } from '../elastic/scan.ts'
import { DEFAULT_LANGUAGE, type Language } from '../languages/language.ts'
import type { Services } from '../operation.ts'
import { type Batches, createBatches } from '../platform/batches.ts'
import { logFailure } from '../platform/log.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { createPacing } from '../platform/pacing.ts'
import { token } from '../text.ts'
import { storeEntriesOf } from './change-log.ts'
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

/** A product with log entries to store. */
interface UnsettledProduct extends Pick<ProductTarget, 'scope'> {
  readonly at: Stored<ProductDocument>
}

/**
 * Products that wait for their entries to be stored, by owner, catalog and id. Each is the newest
 * version, which has the entries of all before it.
 */
const waitingOf = memoizeWeak<Elastic, Map<string, UnsettledProduct>>(() => new Map())

/** Products that wait at most. Those beyond wait in the index, for flushPending. */
const MOST_WAITING = 1_000

/**
 * Stores a document's pending log entries in the background, then clears them. Those of many changes
 * are stored together, since each request waits until they are searchable.
 */
export function settleLog(
  services: Services,
  { scope, id }: ProductTarget,
  at: Stored<ProductDocument>,
): void {
  if (at.source.pending.length === 0) return
  const waiting = waitingOf(services.elastic)
  const key = token(scope.owner, scope.name, id)
  const before = waiting.get(key)
  if (before ? before.at.seqNo > at.seqNo : waiting.size >= MOST_WAITING) return
  waiting.set(key, { scope, at })
  batchesOf(services.elastic).add(
    '',
    key,
    async () => {
      const all = [...waiting.values()]
      waiting.clear()
      await settleAll(services, all).catch((error: unknown) =>
        logFailure(services.log, NAME, error),
      )
    },
    (batches) => void services.background.run(NAME, () => batches),
  )
}

/** One batch at a time: those of further changes are gathered meanwhile. */
const batchesOf = memoizeWeak<Elastic, Batches<string>>(() => createBatches())

/** Stores the entries of products in portions, then clears them. */
async function settleAll(services: Services, all: readonly UnsettledProduct[]): Promise<void> {
  const portions = createBulkPortions<ClearedProduct>((portion) => clear(services, portion))
  const pace = createPacing()
  for (const { scope, at } of all) {
    const products = productsOf(services, scope)
    await portions.add(clearedProduct(scope, at, products))
    await pace()
  }
  await portions.flush()
}

interface ClearedProduct {
  readonly owner: string
  readonly source: ProductDocument
  /** Writes the product without its entries. */
  readonly item: BulkItem
}

function clearedProduct(
  scope: WrittenPlace,
  at: Stored<ProductDocument>,
  products: Pick<ReturnType<typeof productsOf>, 'bulkItem'>,
): ClearedProduct {
  const { source } = at
  const cleared = withSearch(scope, { ...source, pending: [] })
  return { owner: scope.owner, source, item: products.bulkItem(source.product.id, cleared, at) }
}

/**
 * Stores the entries, then clears the products. The log is searchable before that, so that a reader
 * misses none. Where a product was written in between, that write settles what is left.
 */
async function clear(services: Services, portion: readonly ClearedProduct[]): Promise<void> {
  const byOwner = Map.groupBy(portion, ({ owner }) => owner)
  const entries = [...byOwner].map(
    ([owner, all]) => [owner, all.map(({ source }) => source)] as const,
  )
  await storeEntriesOf(services, entries, { refresh: 'wait_for' })
  await bulk(
    services.elastic,
    portion.map(({ item }) => item),
  )
}

/** Like settleLog, for a document whose version is not known. */
export function settleStoredLog(services: Services, target: ProductTarget): void {
  services.background.run(NAME, () => settleStored(services, target))
}

const NAME = 'store the change log'

async function settleStored(services: Services, { scope, id }: ProductTarget): Promise<void> {
  const at = await readToWrite(services, scope, id)
  if (at?.source.pending.length) await settleAll(services, [{ scope, at }])
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

/** Settles products by id, of which an aborted request may leave thousands. */
const settleMany = (services: Services, scope: WrittenPlace, ids: readonly string[]) =>
  inCurrentIndex(services, scope, async (products) => {
    const portions = createBulkPortions<ClearedProduct>((portion) => clear(services, portion))
    for (const slice of fittingSlices(services, products, ids)) {
      for (const at of await products.getMany(slice, { most: Infinity })) {
        if (at?.source.pending.length) await portions.add(clearedProduct(scope, at, products))
      }
    }
    await portions.flush()
  })
