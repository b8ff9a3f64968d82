import type { Product } from '../aisle/types.ts'

/** What the offers of a product come to. */
export interface Deal {
  /** The least of its offers, else the list price; undefined where there is none. */
  readonly price: number | undefined
  readonly vendors: number
  /** Pieces that all vendors have together, as far as they say. */
  readonly onHand: number
  readonly inStock: boolean
}

export function dealOf({ vendors = [], msrp }: Product): Deal {
  const prices = vendors.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  const list = vendors.length === 0 && msrp !== null ? msrp : undefined
  return {
    price: prices.length > 0 ? Math.min(...prices) : list,
    vendors: vendors.length,
    onHand: vendors.reduce((sum, { onHand }) => sum + (onHand ?? 0), 0),
    inStock: vendors.some(({ inStock }) => inStock),
  }
}

const whole = new Intl.NumberFormat('en')
export const count = (number: number): string => whole.format(number)
export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`
