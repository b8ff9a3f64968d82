import type { Stored } from '../elastic/collection.ts'
import { scanAllScopes } from '../elastic/scan.ts'
import { ignoring, Stale } from '../errors.ts'
import { DEFAULT_LANGUAGE, type Language } from '../languages/language.ts'
import type { Services } from '../operation.ts'
import { storePendingEntries } from './change-log.ts'
import type { ProductDocument } from './product.ts'
import { productsOf, type WrittenCatalog, withSearch } from './product-documents.ts'

/** Where one product is. */
export interface ProductTarget {
  readonly scope: WrittenCatalog
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
  scope: WrittenCatalog,
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
  const pending = { term: { 'search.pending': true } }
  const old = { range: { 'search.updated': { lte: before } } }
  const left = scanAllScopes<{ product: { id: string }; language?: Language }>(
    services.elastic,
    'products',
    {
      _source: ['scope', 'product.id', 'language'],
      query: { bool: { filter: [pending, old] } },
      size: PAGE,
      sort: ['search.updated', 'scope', 'search.id'],
    },
  )
  for await (const batch of left) {
    // Together, since each of them waits for the log to be searchable.
    const results = await Promise.allSettled(
      batch.map(({ scope, product: { id }, language = DEFAULT_LANGUAGE }) => {
        const [owner, name] = scope.split('/') as [string, string]
        return settleStored(services, { scope: { owner, name, language }, id })
      }),
    )
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) services.log.warn({ err: failed.reason }, 'a change-log entry is still left')
    if (performance.now() >= deadline) return
  }
}
