import { bulk } from '../elastic/bulk.ts'
import { collection } from '../elastic/collection.ts'
import { refresh } from '../elastic/refresh.ts'
import { search } from '../elastic/search.ts'
import { Stale, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { type CatalogDocument, catalogsOf, contentsOf } from './store.ts'

const PAGE = 1_000
const GONE = [200, 404]
/** Milliseconds after which a call hands back, so that it never holds up a stop. */
const SLICE_MS = 3_000

/**
 * Removes the products of catalogs that are marked as deleted, then the catalogs, so that their
 * names are free again. A call does a slice of it; one that ends midway is continued by the next.
 */
export async function removeDeletedCatalogs(services: Services): Promise<void> {
  const deadline = performance.now() + SLICE_MS
  const answer = await search<CatalogDocument & { scope: string }>(
    services.elastic,
    { kind: 'catalogs', scope: null },
    { query: { exists: { field: 'deleted' } }, size: PAGE, sort: [{ deleted: 'asc' }] },
  )
  for (const { _source } of answer.hits.hits) {
    const { scope: root, ...catalog } = _source!
    // Looked at before the products are: what is written later than this stays found.
    const settled = !mayStillBeWritten(services, catalog)
    const empty = await removeProducts(services, catalog, deadline)
    if (settled && empty) await removeCatalog(services, root, catalog)
  }
}

// Who opened the catalog just before it was marked may still write a product into it.
function mayStillBeWritten({ clock }: Services, { deleted }: CatalogDocument): boolean {
  return clock.now().getTime() - Date.parse(deleted!) < limits.catalogRemovalMs
}

/** Answers whether no product is left. */
async function removeProducts(
  services: Services,
  catalog: CatalogDocument,
  deadline: number,
): Promise<boolean> {
  const { elastic } = services
  const { place } = collection(elastic, contentsOf(catalog))
  const index = elastic.indexName(place.kind)
  await refresh(elastic, place.kind)
  while (performance.now() < deadline) {
    const answer = await search(elastic, place, { _source: false, size: PAGE, sort: ['_doc'] })
    const hits = answer.hits.hits
    if (hits.length === 0) return true
    const results = await bulk(
      elastic,
      hits.map(({ _id }) => ({
        action: JSON.stringify({ delete: { _index: index, _id, routing: place.routing } }),
      })),
      { refresh: true },
    )
    const failed = results.find(({ status }) => !GONE.includes(status))
    if (failed) throw new Unavailable(`A product was not removed: ${failed.reason ?? ''}`)
  }
  return false
}

async function removeCatalog(
  services: Services,
  root: string,
  { name }: CatalogDocument,
): Promise<void> {
  const catalogs = catalogsOf(services, root)
  const found = await catalogs.get(name)
  if (!found?.source.deleted) return
  await catalogs.remove(name, { at: found, refresh: true }).catch((error: unknown) => {
    if (!(error instanceof Stale)) throw error
  })
}
