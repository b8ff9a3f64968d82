import { type ProductPlace, productPlaceOf } from '../catalogs/store.ts'
import type { Elastic } from '../elastic/client.ts'
import type { Services } from '../operation.ts'
import { type Batches, createBatches } from '../platform/batches.ts'
import { logFailure } from '../platform/log.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { productsOf } from './product-documents.ts'

const NAME = 'show written products'
/** Milliseconds for which writes to an index are gathered. */
const GATHER_MS = 500

const refreshesOf = memoizeWeak<Elastic, Batches<undefined>>(() => createBatches(GATHER_MS))

/**
 * Makes what a request wrote searchable within a second. The index itself refreshes every few
 * seconds only, since imports write all the time and each refresh holds up searches.
 */
export function refreshSoon(services: Services, scope: ProductPlace): void {
  const { elastic, background, log } = services
  const refresh = () =>
    productsOf(services, scope)
      .refresh({ shared: true })
      .catch((error: unknown) => logFailure(log, NAME, error))
  refreshesOf(elastic).add(productPlaceOf(scope).kind, undefined, refresh, (refreshes) =>
    background.run(NAME, () => refreshes),
  )
}
