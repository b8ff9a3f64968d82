import { BadRow } from '../../formats/rows/mapped-row.ts'
import type { OfferChange } from '../../formats/rows/row-change.ts'
import { limits } from '../../limits.ts'
import { withVendors } from '../../products/patch.ts'
import type { Offer, Product } from '../../products/product.ts'

/** The product with these offers added or changed, as by `withVendors`. Throws BadRow if there are too many. */
export function withOffers(product: Product, changes: readonly OfferChange[]): Product {
  if (changes.length === 0) return product
  const vendors = [...product.vendors]
  for (const change of changes) {
    const at = vendors.findIndex(({ vendorName }) => vendorName === change.vendorName)
    if (at === -1) vendors.push(offerAfter(EMPTY_OFFER, change))
    else vendors[at] = offerAfter(vendors[at]!, change)
  }
  if (vendors.length > limits.productOffers) {
    throw new BadRow(`more than ${limits.productOffers} vendors`)
  }
  return withVendors(product, vendors)
}

/** The product without the offers of these vendors. */
export function withoutOffers(product: Product, changes: readonly OfferChange[]): Product {
  const gone = new Set(changes.map(({ vendorName }) => vendorName))
  const vendors = product.vendors.filter(({ vendorName }) => !gone.has(vendorName))
  return { ...product, vendors }
}

export const EMPTY_OFFER: Offer = {
  cost: null,
  onHand: null,
  inStock: false,
  vendorPartNumber: null,
  vendorName: '',
  status: null,
  name: null,
}

/**
 * Changes an offer. Absent fields stay, except that a count without a stock status determines it.
 */
function offerAfter(offer: Offer, change: OfferChange): Offer {
  const { onHand } = change
  const counted = onHand === undefined || onHand === null ? {} : { inStock: onHand > 0 }
  return { ...offer, ...counted, ...change }
}
