import type { Offer, Product } from './product.ts'

/** An offer, or a product without offers, and what it costs. */
export interface PricedOffer<O> {
  /** null: the product itself, which nobody offers. */
  readonly offer: O | null
  readonly price: number
}

interface OffersWithMsrp<O> {
  readonly vendors: readonly O[]
  readonly msrp: Product['msrp']
}

/** What each offer costs, in their order; where none says so, each is had for the msrp. */
export function offerPrices<O extends Pick<Offer, 'cost'>>({ vendors, msrp }: OffersWithMsrp<O>) {
  const isListed = vendors.every(({ cost }) => cost === null)
  return vendors.map(({ cost }) => (isListed ? msrp : cost))
}

/** The offers that have a price; of a product without offers its msrp. */
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

/** The least price of a product; null where it has none. */
export function leastPrice(product: OffersWithMsrp<Pick<Offer, 'cost'>>): number | null {
  const prices = pricedOffers(product).map(({ price }) => price)
  return prices.length === 0 ? null : Math.min(...prices)
}
