import type { StoredItem } from './workspace.ts'

export interface Totals {
  /** Number of items. */
  readonly items: number
  readonly quantity: number
  /** Sum of quantity by price; items without a price count nothing. */
  readonly price: number
}

/** Sums of decimals without the dust of binary fractions. */
export const rounded = (sum: number): number => Number(sum.toFixed(6))

/** Totals of the items of a workspace. */
export function totalsOf(items: readonly Pick<StoredItem, 'quantity' | 'price'>[]): Totals {
  const sum = (of: (item: Pick<StoredItem, 'quantity' | 'price'>) => number) =>
    rounded(items.reduce((total, item) => total + of(item), 0))
  return {
    items: items.length,
    quantity: sum(({ quantity }) => quantity),
    price: sum(({ quantity, price }) => rounded(quantity * (price ?? 0))),
  }
}
