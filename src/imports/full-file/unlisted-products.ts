import type { CatalogScope } from '../../catalogs/store.ts'
import { term } from '../../elastic/clauses.ts'
import type { Context } from '../../operation.ts'
import { productsOf } from '../../products/product-documents.ts'
import { valueTerm } from '../../products/search-fields.ts'
import { retryUntilCancelled } from '../../tasks/backoff.ts'
import { fingerprintOf, setOf, shareOf } from './fingerprints.ts'
import { type ListedProductsState, readShare } from './listed-products.ts'

export interface UnlistedOptions {
  readonly ctx: Context
  readonly scope: CatalogScope
  readonly vendor: string
  readonly listed: ListedProductsState
  readonly isCancelled: () => boolean
}

/** Fingerprints that are in memory at a time: 8 MiB. */
const SHARE = 262_144
const PAGE = 5_000
const SEARCH_MS = 30_000

/** Products with an offer of the vendor that are not listed, in pages; some pages are empty. */
export async function* unlistedProducts(options: UnlistedOptions): AsyncGenerator<string[]> {
  const { ctx, listed, isCancelled } = options
  const shares = Math.max(1, Math.ceil(listed.count / SHARE))
  for (let share = 0; share < shares; share++) {
    const bytes = await retryUntilCancelled(isCancelled, () =>
      readShare(ctx, listed, { share, shares }),
    )
    const has = setOf(bytes)
    for await (const ids of offeredProducts(options)) {
      yield ids.filter((id) => {
        const fingerprint = fingerprintOf(id)
        return shareOf(fingerprint, shares) === share && !has(fingerprint)
      })
    }
  }
}

/** Ids of products with an offer of the vendor; what leaves meanwhile makes none be missed. */
async function* offeredProducts(options: UnlistedOptions): AsyncGenerator<string[]> {
  const { ctx, scope, vendor, isCancelled } = options
  for (let after: string | undefined; ; ) {
    const answer = await retryUntilCancelled(isCancelled, () =>
      productsOf(ctx, scope).search(
        {
          query: term('search.vendors', valueTerm(vendor)),
          size: PAGE,
          _source: false,
          sort: [{ 'search.id': 'asc' }],
          track_total_hits: false,
          ...(after === undefined ? {} : { search_after: [after] }),
        },
        { timeoutMs: SEARCH_MS, signal: ctx.signal },
      ),
    )
    const ids = answer.hits.hits.map(({ sort }) => sort![0] as string)
    yield ids
    if (ids.length < PAGE) return
    after = ids.at(-1)
  }
}

/** How many offers the vendor has, listed or not. */
export const countOffers = ({ ctx, scope, vendor, isCancelled }: UnlistedOptions) =>
  retryUntilCancelled(isCancelled, () =>
    productsOf(ctx, scope).count(term('search.vendors', valueTerm(vendor)), {
      timeoutMs: SEARCH_MS,
      signal: ctx.signal,
    }),
  )
