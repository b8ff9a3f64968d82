import type { CatalogScope } from '../catalogs/store.ts'
import type { Context } from '../operation.ts'
import { shownOffers, viewerOf } from '../products/view.ts'
import { checkedOffers } from '../realtime/checked-offers.ts'
import type { SearchRequest } from './request-schemas.ts'
import type { SearchResult } from './run.ts'

/** Search keys are public in web pages, so for them only the catalog can turn on the check. */
export const checksOffers = (
  { caller }: Context,
  scope: CatalogScope,
  { checkRealtimeSelection }: OfferCheck,
): boolean => scope.checkRealtime || (checkRealtimeSelection && caller.keyType !== 'search')

type OfferCheck = Pick<SearchRequest, 'checkRealtimeSelection'>

/**
 * The result of a search as it is returned. Offers to be checked are replaced with what their
 * vendors currently say. The products, their order and their number stay the same.
 */
export async function withCheckedOffers(
  ctx: Context,
  scope: CatalogScope,
  { stored, ...found }: SearchResult,
  request: OfferCheck,
): Promise<Omit<SearchResult, 'stored'>> {
  if (!checksOffers(ctx, scope, request)) return found
  const offers = await checkedOffers(ctx, scope, stored)
  if (offers.size === 0) return found
  const viewer = viewerOf(ctx)
  const products = found.products.map((product) => {
    const vendors = offers.get(product.id)
    return vendors ? { ...product, vendors: shownOffers(vendors, viewer) } : product
  })
  return { ...found, products }
}
