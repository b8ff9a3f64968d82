export interface Totals {
  /** Number of items. */
  readonly items: number
  readonly quantity: number
  /** Sum of quantity times price; an item without a price counts as 0. */
  readonly price: number
}

/** Rounds a sum of decimals, to drop the error of binary fractions. */
export const rounded = (sum: number): number => Number(sum.toFixed(6))

interface PricedQuantity {
  readonly quantity: number
  readonly price: number | null
}

/** Totals of the items of a workspace. */
export function totalsOf(items: readonly PricedQuantity[]): Totals {
  const sum = (of: (item: PricedQuantity) => number) =>
    rounded(items.reduce((total, item) => total + of(item), 0))
  return {
    items: items.length,
    quantity: sum(({ quantity }) => quantity),
    price: sum(({ quantity, price }) => rounded(quantity * (price ?? 0))),
  }
}
