import { limits } from '../limits.ts'
import { withVendors } from '../products/patch.ts'
import type { Offer, Product, ProductDocument } from '../products/product.ts'
import type { OfferItem } from './check-item.ts'

/** Stock on hand: the stated total, else the sum over all warehouses. */
export function onHandOf({ onHand, warehouses }: OfferItem): number | null {
  if (onHand !== null) return onHand
  const counted = warehouses.flatMap((one) => (one.onHand === null ? [] : [one.onHand]))
  if (counted.length === 0) return null
  const sum = counted.reduce((before, count) => before + count, 0)
  return Math.min(sum, Number.MAX_VALUE)
}

/** A vendor's offer after its answer. What the answer leaves out stays as it was. */
export function offerAfter(offer: Offer | undefined, vendorName: string, item: OfferItem): Offer {
  const onHand = item.active ? onHandOf(item) : 0
  return {
    vendorName,
    vendorPartNumber: item.vendorPartNumber ?? offer?.vendorPartNumber ?? null,
    name: offer ? offer.name : (item.description?.slice(0, limits.productNameLength) ?? null),
    cost: item.cost ?? offer?.cost ?? null,
    onHand: onHand ?? offer?.onHand ?? null,
    inStock: onHand === null ? (offer?.inStock ?? false) : onHand > 0,
    status: item.status ?? offer?.status ?? null,
  }
}

/** Offers with one in the place of the vendor's own, or at the end. */
export function withOffer<T extends Offer>(offers: readonly T[], offer: T): readonly T[] {
  const at = offers.findIndex(({ vendorName }) => vendorName === offer.vendorName)
  return at === -1 ? [...offers, offer] : offers.with(at, offer)
}

export const offerOf = ({ vendors }: Pick<Product, 'vendors'>, vendor: string): Offer | undefined =>
  vendors.find(({ vendorName }) => vendorName === vendor)

/** The document with a vendor's answer; undefined where a further vendor has no room. */
export function withAnswer(
  document: ProductDocument,
  vendor: string,
  item: OfferItem,
): ProductDocument | undefined {
  const { product } = document
  const known = offerOf(product, vendor)
  if (!known && product.vendors.length >= limits.productOffers) return undefined
  const vendors = withOffer(product.vendors, offerAfter(known, vendor, item))
  return { ...document, product: withVendors(product, vendors) }
}
