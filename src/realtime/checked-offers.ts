import type { CatalogScope } from '../catalogs/store.ts'
import { isFor } from '../extensions/installation.ts'
import { sharedValuesReader } from '../extensions/open-values.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { logFailure } from '../platform/log.ts'
import type { Offer, Product } from '../products/product.ts'
import { askVendors, type VendorAnswer } from './ask-vendors.ts'
import { offerAfter, withOffer } from './offer.ts'
import { recentVendors, type Vendor } from './vendors.ts'

/** An offer, with the time of its vendor's answer if it was just checked. */
export type CheckedOffer = Offer & { readonly checkedAt?: string }

/**
 * The offers of products of one catalog by product id, updated by vendors who answered in time.
 * Never throws, and ends with the deadline, whatever vendors do.
 */
export async function checkedOffers(
  ctx: Context,
  scope: CatalogScope,
  products: readonly Product[],
): Promise<ReadonlyMap<string, readonly CheckedOffer[]>> {
  try {
    if (products.length === 0) return new Map()
    const most = Math.floor(limits.realtimePairs / products.length)
    const vendors = (await vendorsFor(ctx, scope)).slice(0, most)
    const answers = await askVendors(ctx, {
      action: 'search',
      additionalFields: {},
      workspace: null,
      vendors,
      readShared: sharedValuesReader(ctx),
      products: products.map((product) => ({ scope, product })),
    })
    return offersAfter(answers)
  } catch (error) {
    logFailure(ctx.log, 'offers were not checked', error)
    return new Map()
  }
}

async function vendorsFor(ctx: Context, { name }: CatalogScope): Promise<Vendor[]> {
  const found = await recentVendors(ctx)
  return found
    .filter(({ installed }) => isFor(installed, name))
    .toSorted((a, b) => distance(ctx, a) - distance(ctx, b))
}

/**
 * Ranks vendors: those that the user installed come before the organization's, then its parent's.
 */
const distance = ({ organization }: Context, { installed }: Vendor): number =>
  installed.level === 'user' ? 0 : installed.organization === organization.id ? 1 : 2

/**
 * Offers updated by vendors' answers, by product id. Of several vendors of one name, the first
 * counts.
 */
export function offersAfter(
  answers: readonly Omit<VendorAnswer, 'stored'>[],
): Map<string, readonly CheckedOffer[]> {
  const offers = new Map<string, readonly CheckedOffer[]>()
  for (const { vendor, asked, result, time } of answers) {
    if (!result.item || !time) continue
    const { product } = asked
    const shown: readonly CheckedOffer[] = offers.get(product.id) ?? product.vendors
    const known = shown.find(({ vendorName }) => vendorName === vendor.name)
    if (known?.checkedAt !== undefined) continue
    const offer: CheckedOffer = {
      ...offerAfter(known, vendor.name, result.item),
      checkedAt: time.toISOString(),
    }
    offers.set(product.id, withOffer(shown, offer))
  }
  return offers
}
