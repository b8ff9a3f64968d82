import type { CatalogScope } from '../catalogs/store.ts'
import type { Context } from '../operation.ts'
import { shownOffers, viewerOf } from '../products/view.ts'
import { checkedOffers } from '../realtime/checked-offers.ts'
import type { SearchResult } from './run.ts'

/** A key of type search travels in web pages: it has offers checked only where the catalog says so. */
export const checksOffers = (
  { caller }: Context,
  scope: CatalogScope,
  { checkRealtimeSelection }: OfferCheck,
): boolean => scope.checkRealtime || (checkRealtimeSelection && caller.keyType !== 'search')

interface OfferCheck {
  readonly checkRealtimeSelection: boolean
}

/**
 * What was found, as it is answered: where offers are to be checked, those of the page as their
 * vendors say now. Which products, in which order, and how many: that stays.
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
