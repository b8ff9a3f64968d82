import type { Offer, Product } from './product.ts'

/** The price of an offer, or of a product without offers. */
export interface PricedOffer<O> {
  /** null for a product without offers. */
  readonly offer: O | null
  readonly price: number
}

interface OffersWithMsrp<O> {
  readonly vendors: readonly O[]
  readonly msrp: Product['msrp']
}

/** The price of each offer, in order. If no offer has a cost, all have the msrp. */
export function offerPrices<O extends Pick<Offer, 'cost'>>({ vendors, msrp }: OffersWithMsrp<O>) {
  const isListed = vendors.every(({ cost }) => cost === null)
  return vendors.map(({ cost }) => (isListed ? msrp : cost))
}

/** The offers that have a price; for a product without offers its msrp. */
export function pricedOffers<O extends Pick<Offer, 'cost'>>(
  product: OffersWithMsrp<O>,
): PricedOffer<O>[] {
  const { vendors, msrp } = product
  if (vendors.length === 0) return msrp === null ? [] : [{ offer: null, price: msrp }]
  const prices = offerPrices(product)
  return vendors.flatMap((offer, at) => {
    const price = prices[at]!
    return price === null ? [] : [{ offer, price }]
  })
}

/** The lowest price of a product; null if it has none. */
export function leastPrice(product: OffersWithMsrp<Pick<Offer, 'cost'>>): number | null {
  const prices = pricedOffers(product).map(({ price }) => price)
  return prices.length === 0 ? null : Math.min(...prices)
}
