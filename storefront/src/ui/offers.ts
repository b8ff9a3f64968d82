import type { Product } from '../shop/types.ts'

/** What the offers of a product come to. */
export interface Deal {
  /** That of the price list in effect, else the least of the offers in stock, else of all, else what the maker says. */
  readonly price: number | undefined
  /** Others have it for more. */
  readonly isLeast: boolean
  readonly vendors: number
  /** Pieces that are there for this price, as far as the vendor says. */
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

/** Whether it can be had at once, and how many. */
export const stockText = ({ inStock, onHand }: Stock): string =>
  inStock ? (onHand ? `${count(onHand)} in stock` : 'In stock') : 'Out of stock'

const whole = new Intl.NumberFormat('en')
export const count = (number: number): string => whole.format(number)
export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`
