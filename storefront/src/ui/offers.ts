import type { Product } from '../shop/types.ts'

/** A summary of a product's offers. */
export interface Deal {
  /**
   * The price of the price list in effect, else the lowest offer (in stock, if any), else the
   * manufacturer's list price.
   */
  readonly price: number | undefined
  /** Whether other vendors may charge more. */
  readonly isLeast: boolean
  readonly vendors: number
  /** The quantity available at this price, if the vendor reports it. */
  readonly onHand: number
  readonly inStock: boolean
}

export function dealOf({ vendors = [], msrp, prices }: Product): Deal {
  const inStock = vendors.filter((offer) => offer.inStock)
  const offers = inStock.length > 0 ? inStock : vendors
  const [best] = offers.toSorted((a, b) => (a.cost ?? Infinity) - (b.cost ?? Infinity))
  const list = vendors.length === 0 && msrp !== null ? msrp : undefined
  return {
    price: prices
      ? prices.find(({ quantityFrom }) => quantityFrom === 1)?.price
      : (best?.cost ?? list),
    isLeast: !prices && vendors.length > 1,
    vendors: vendors.length,
    onHand: best?.onHand ?? 0,
    inStock: inStock.length > 0,
  }
}

interface Stock {
  readonly inStock: boolean
  readonly onHand?: number | null
}

/** Availability and quantity as text. */
export const stockText = ({ inStock, onHand }: Stock): string =>
  inStock ? (onHand ? `${count(onHand)} in stock` : 'In stock') : 'Out of stock'

const whole = new Intl.NumberFormat('en')
export const count = (number: number): string => whole.format(number)
export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`
