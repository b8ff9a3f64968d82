import { type Decimal, detectDecimal } from './cell-values.ts'
import { daysFirst } from './dates.ts'
import { type FieldTarget, fieldOf, isPrice, type MappedColumn, targetName } from './fields.ts'
import { commonCurrency } from './prices.ts'

/** The notation of numbers, prices and dates in a file, by its first rows. */
export interface Notation {
  readonly decimal: Decimal
  /** The currency of prices; undefined if none has one. */
  readonly currency: string | undefined
  /** Whether the day precedes the month in dates with slashes. */
  readonly isDayFirst: boolean
}

type Rows = readonly (readonly string[])[]

const textsOf = (
  rows: Rows,
  columns: readonly MappedColumn[],
  isMeant: (target: FieldTarget) => boolean,
): string[] => {
  const meant = columns.filter(({ target }) => isMeant(target))
  return rows.flatMap((cells) => meant.map(({ index }) => cells[index] ?? ''))
}

export const decimalOf = (rows: Rows, columns: readonly MappedColumn[]): Decimal =>
  detectDecimal(textsOf(rows, columns, (target) => fieldOf(target).kind === 'number'))

const DATES = new Set(['vendor.saleFrom', 'vendor.saleUntil'])

export function notationOf(
  rows: Rows,
  columns: readonly MappedColumn[],
  decimal = decimalOf(rows, columns),
): Notation {
  const dates = textsOf(rows, columns, (target) => DATES.has(targetName(target)))
  return {
    decimal,
    currency: commonCurrency(textsOf(rows, columns, isPrice), decimal),
    // Files with a decimal comma have the day first.
    isDayFirst: daysFirst(dates) ?? decimal === ',',
  }
}
