import type { CatalogScope } from '../catalogs/store.ts'
import type { Stored } from '../elastic/collection.ts'
import { type Hit, type SearchBody, search } from '../elastic/search.ts'
import { ignoring, Stale } from '../errors.ts'
import type { Services } from '../operation.ts'
import { storePendingEntries } from './change-log.ts'
import type { ProductDocument } from './product.ts'
import { productsOf, withSearch } from './product-documents.ts'

type SortResults = NonNullable<Hit<unknown>['sort']>

type CatalogName = Pick<CatalogScope, 'owner' | 'name'>

/** Where one product is. */
export interface ProductTarget {
  readonly scope: CatalogName
  readonly id: string
}

/** Stores a document's waiting log entries after the answer, then clears them. */
export function settleLog(
  services: Services,
  { scope, id }: ProductTarget,
  at: Stored<ProductDocument>,
): void {
  if (at.source.pending.length === 0) return
  services.background.run(NAME, () => settle(services, scope, id, at))
}

/** As settleLog, for a document whose version is not known. */
export function settleStoredLog(services: Services, target: ProductTarget): void {
  services.background.run(NAME, () => settleStored(services, target))
}

const NAME = 'store the change log'

async function settleStored(services: Services, { scope, id }: ProductTarget): Promise<void> {
  const at = await productsOf(services, scope).get(id)
  if (at?.source.pending.length) await settle(services, scope, id, at)
}

// The log is searchable before the entries leave the document, so that a reader misses none. When
// somebody wrote in between, that write's own turn settles what is left.
async function settle(
  services: Services,
  scope: CatalogName,
  id: string,
  at: Stored<ProductDocument>,
) {
  await storePendingEntries(services, scope.owner, [at.source], { refresh: 'wait_for' })
  const cleared = withSearch(scope, { ...at.source, pending: [] })
  await productsOf(services, scope).replace(id, cleared, at).catch(ignoring(Stale))
}

const PAGE = 50
const AGE_MS = 5_000
/** Milliseconds after which a call hands back, so that it never holds up a stop. */
const SLICE_MS = 3_000

/** Stores log entries that a process left behind when it ended. For a task that runs now and then. */
export async function flushPending(services: Services): Promise<void> {
  const deadline = performance.now() + SLICE_MS
  const before = services.clock.now().getTime() - AGE_MS
  for (let after: SortResults | undefined; performance.now() < deadline; ) {
    const { hits } = (
      await search<UnsettledProduct>(services.elastic, PLACE, leftBehind(before, after))
    ).hits
    // Together, since each of them waits for the log to be searchable.
    const results = await Promise.allSettled(
      hits.map((hit) => settleUnsettled(services, hit._source!)),
    )
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) services.log.warn({ err: failed.reason }, 'a change-log entry is still left')
    after = hits.at(-1)?.sort
    if (hits.length < PAGE) return
  }
}

const PLACE = { kind: 'products', scope: null }

/** What is read of a product that was left behind. */
interface UnsettledProduct {
  readonly scope: string
  readonly product: { readonly id: string }
}

const leftBehind = (before: number, after: SortResults | undefined): SearchBody => ({
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
  sort: [{ 'search.updated': 'asc' }, { scope: 'asc' }, { 'search.id': 'asc' }],
  ...(after ? { search_after: after } : {}),
})

async function settleUnsettled(
  services: Services,
  { scope, product }: UnsettledProduct,
): Promise<void> {
  const [owner, name] = scope.split('/') as [string, string]
  await settleStored(services, { scope: { owner, name }, id: product.id })
}
