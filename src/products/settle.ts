import type { CatalogScope } from '../catalogs/store.ts'
import type { Stored } from '../elastic/collection.ts'
import { search } from '../elastic/search.ts'
import { Stale } from '../errors.ts'
import type { Services } from '../operation.ts'
import { storeEntries } from './changes.ts'
import { productsOf, type StoredProduct, withSearch } from './documents.ts'
import type { ProductDocument } from './product.ts'

type Place = Pick<CatalogScope, 'owner' | 'name'>

/** Stores a document's waiting log entries after the answer, then clears them. */
export function settleLog(
  services: Services,
  { scope, id }: { scope: Place; id: string },
  at: Stored<ProductDocument>,
): void {
  if (at.source.pending.length === 0) return
  services.background.run('store the change log', () => settle(services, scope, id, at))
}

// The log is searchable before the entries leave the document, so that a reader misses none. When
// somebody wrote in between, that write's own turn settles what is left.
async function settle(services: Services, scope: Place, id: string, at: Stored<ProductDocument>) {
  await storeEntries(services, scope.owner, at.source.pending, { refresh: 'wait_for' })
  const cleared = withSearch({ ...at.source, pending: [] })
  await productsOf(services, scope)
    .replace(id, cleared, at)
    .catch((error: unknown) => {
      if (!(error instanceof Stale)) throw error
    })
}

const PAGE = 100
const AGE_MS = 5_000

/**
 * Stores log entries that a process left behind when it ended, up to one page of products.
 * For a task that runs now and then. Answers how many products it looked at.
 */
export async function flushPending(services: Services): Promise<number> {
  const before = services.clock.now().getTime() - AGE_MS
  const answer = await search<{ scope: string; product: { id: string } }>(
    services.elastic,
    { kind: 'products', scope: null },
    {
      _source: ['scope', 'product.id'],
      query: {
        bool: {
          filter: [
            { term: { 'search.pending': true } },
            { range: { 'search.updated': { lte: before } } },
          ],
        },
      },
      size: PAGE,
      sort: [{ 'search.updated': 'asc' }],
    },
  )
  const hits = answer.hits.hits.map((hit) => hit._source!)
  for (const { scope, product } of hits) {
    const [owner, name] = scope.split('/') as [string, string]
    const at = await productsOf(services, { owner, name }).get(product.id)
    if (at) await settle(services, { owner, name }, product.id, at as Stored<StoredProduct>)
  }
  return hits.length
}
