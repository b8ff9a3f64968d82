import type { Line } from './workspace.ts'

export interface Totals {
  readonly items: number
  readonly quantity: number
  /** Sum of quantity by price; items without a price count nothing. */
  readonly price: number
}

/** Sums of decimals without the dust of binary fractions. */
export const rounded = (sum: number): number => Number(sum.toFixed(6))

export const amountOf = ({ quantity, price }: Pick<Line, 'quantity' | 'price'>): number =>
  rounded(quantity * (price ?? 0))

/** Totals of the lines of a workspace. Pure. */
export function totalsOf(lines: readonly Pick<Line, 'quantity' | 'price'>[]): Totals {
  return {
    items: lines.length,
    quantity: rounded(lines.reduce((sum, { quantity }) => sum + quantity, 0)),
    price: rounded(lines.reduce((sum, line) => sum + amountOf(line), 0)),
  }
}
