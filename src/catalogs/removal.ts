import type { estypes } from '@elastic/elasticsearch'
import { bulk } from '../elastic/bulk.ts'
import { collection } from '../elastic/collection.ts'
import { deleteOwnIndex } from '../elastic/own-index.ts'
import { inAllScopes, searchPages } from '../elastic/scan.ts'
import { search } from '../elastic/search.ts'
import { ignoring, Stale, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { roundRobin } from '../platform/round-robin.ts'
import { enterBackground } from '../tasks/background-admission.ts'
import {
  type CatalogDocument,
  type CatalogPlace,
  catalogsOf,
  PRICE_LISTS,
  priceListsPlaceOf,
  productPlaceOf,
  SEARCH_SETTINGS,
  searchSettingsPlaceOf,
} from './store.ts'

const PAGE = 1_000
/**
 * All products by their number in the shard, which a walk passes over once they are removed: it
 * needs no refresh, which would cost the searches of others.
 */
const IN_ORDER = { _source: false, seq_no_primary_term: true, size: PAGE, sort: ['_seq_no'] }
/** Statuses that need no retry: removed, already gone, or changed and found by the next search. */
const GONE = [200, 404, 409]
/** Milliseconds after which a call returns, so that it never delays a stop. */
const SLICE_MS = 3_000
/** Milliseconds of it for one catalog, so that those of others are removed as well. */
const TURN_MS = 500

/**
 * Removes the products of catalogs marked as deleted, then the catalogs, which frees their names.
 * Organizations take turns. Each call does a slice, the next one continues.
 */
export async function removeDeletedCatalogs(services: Services): Promise<void> {
  const deadline = performance.now() + SLICE_MS
  // A request that opened a catalog just before it was marked may still write a product or its log.
  const before = new Date(services.clock.now().getTime() - limits.catalogRemovalMs).toISOString()
  const marked = inAllScopes<CatalogDocument>(services.elastic, 'catalogs')
  const query = { range: { deleted: { lte: before } } }
  const due = await marked.find({ query, size: PAGE, sort: [{ deleted: 'asc' }] })
  for (const { scope: root, ...catalog } of roundRobin(due, ({ scope }) => scope)) {
    const { ownIndex = null, move } = catalog
    const lies = [ownIndex, ...(move ? [move.from, move.to] : [])]
    const stillMarked = async () => {
      const at = await catalogsOf(services, root).get(catalog.name)
      return at?.source.deleted === catalog.deleted ? at : undefined
    }
    if (performance.now() >= deadline) return
    const until = Math.min(deadline, performance.now() + TURN_MS)
    const removal = { catalog, root, isDue: stillMarked, deadline: until }
    if (lies.includes(null) && !(await removeShared(services, removal))) continue
    const kept = await companionsOf(services, catalog)
    const at = await stillMarked()
    if (!at) continue
    for (const own of lies) if (own) await deleteOwnIndex(services.elastic, own)
    const removing = { at, refresh: true } as const
    await Promise.all(kept.map((remove) => remove()))
      .then(() => catalogsOf(services, root).remove(catalog.name, removing))
      .catch(ignoring(Stale))
  }
}

/**
 * Reads a catalog's search settings and price lists; returns functions that remove what was read.
 * They throw Stale if it changed since, as when the name is in use again.
 */
async function companionsOf({ elastic }: Services, catalog: CatalogPlace) {
  const companions = [
    { id: SEARCH_SETTINGS, kept: collection(elastic, searchSettingsPlaceOf(catalog)) },
    { id: PRICE_LISTS, kept: collection(elastic, priceListsPlaceOf(catalog)) },
  ]
  return Promise.all(
    companions.map(async ({ id, kept }) => {
      const at = await kept.get(id, { source: [] })
      return async () => {
        if (at) await kept.remove(id, { at })
      }
    }),
  )
}

interface CatalogRemoval {
  readonly catalog: CatalogPlace
  /** The family that has the catalog. */
  readonly root: string
  /** Called for each page: whether the documents are still to be removed. */
  readonly isDue: () => Promise<unknown>
  readonly deadline: number
}

/**
 * Removes a catalog's documents from the shared index. Returns whether all are removed. Another
 * instance may have finished and the name be in use again, so a page is removed only if it was read
 * before `isDue` confirmed the removal, and only what did not change since.
 */
export async function removeShared(
  services: Services,
  { catalog: { owner, name }, root, isDue, deadline }: CatalogRemoval,
): Promise<boolean> {
  const { elastic } = services
  const products = collection(elastic, productPlaceOf({ owner, name, index: null }))
  const { place } = products
  const remove = async (hits: readonly estypes.SearchHit[]) => {
    const _index = elastic.indexName(place.kind)
    const items = hits.map(({ _id, _seq_no, _primary_term }) => {
      const found = { if_seq_no: _seq_no, if_primary_term: _primary_term }
      const target = { _index, _id, routing: place.routing, ...found }
      return { action: JSON.stringify({ delete: target }) }
    })
    const leave = await enterBackground(services, root, { rests: true })
    const results = await bulk(elastic, items).finally(leave)
    const failed = results.find(({ status }) => !GONE.includes(status))
    if (failed) throw new Unavailable(`A product was not removed: ${failed.reason ?? ''}`)
  }
  while (performance.now() < deadline) {
    await products.refresh({ shared: true })
    let found = 0
    for await (const hits of searchPages((asked) => search(elastic, place, asked), IN_ORDER)) {
      if (hits.length === 0) break
      if (!(await isDue())) return true
      await remove(hits)
      found += hits.length
      if (performance.now() >= deadline) return false
    }
    if (found === 0) return true
  }
  return false
}
