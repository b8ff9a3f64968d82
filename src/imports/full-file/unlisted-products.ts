import type { CatalogScope } from '../../catalogs/store.ts'
import { term } from '../../elastic/clauses.ts'
import { searchPages } from '../../elastic/scan.ts'
import type { Context } from '../../operation.ts'
import { createPacing, othersThan } from '../../platform/pacing.ts'
import { productsOf } from '../../products/product-documents.ts'
import { valueTerm } from '../../products/search-fields.ts'
import { retryUntilCancelled } from '../../tasks/backoff.ts'
import { type ListedProductsState, readShare } from './listed-products.ts'

export interface UnlistedOptions {
  readonly ctx: Context
  readonly scope: CatalogScope
  readonly vendor: string
  readonly listed: ListedProductsState
  readonly isCancelled: () => boolean
}

/** Number of fingerprints in memory at a time, about 16 MiB. */
const SHARE = 262_144
const PAGE = 5_000
const SEARCH_MS = 30_000

/** Unlisted products with an offer of the vendor, in pages, some of them empty. */
export async function* unlistedProducts(options: UnlistedOptions): AsyncGenerator<string[]> {
  const { ctx, listed, isCancelled } = options
  const pace = createPacing(othersThan(ctx))
  const shares = Math.max(1, Math.ceil(listed.count / SHARE))
  for (let share = 0; share < shares; share++) {
    const isUnlisted = await retryUntilCancelled(isCancelled, () =>
      readShare(ctx, listed, { share, shares, pace }),
    )
    for await (const ids of offeredProducts(options)) {
      yield ids.filter(isUnlisted)
      await pace()
    }
  }
}

/** Ids of products with an offer of the vendor. Concurrent removals skip none. */
async function* offeredProducts(options: UnlistedOptions): AsyncGenerator<string[]> {
  const { ctx, scope, vendor, isCancelled } = options
  const call = { timeoutMs: SEARCH_MS, signal: ctx.signal }
  const pages = searchPages(
    (body) => retryUntilCancelled(isCancelled, () => productsOf(ctx, scope).search(body, call)),
    {
      query: term('search.vendors', valueTerm(vendor)),
      size: PAGE,
      _source: false,
      sort: [{ 'search.id': 'asc' }],
    },
  )
  for await (const hits of pages) yield hits.map(({ sort }) => sort![0] as string)
}

/** Number of offers of the vendor, listed or not. */
export const countOffers = ({ ctx, scope, vendor, isCancelled }: UnlistedOptions) =>
  retryUntilCancelled(isCancelled, () =>
    productsOf(ctx, scope).count(term('search.vendors', valueTerm(vendor)), {
      timeoutMs: SEARCH_MS,
      signal: ctx.signal,
    }),
  )
