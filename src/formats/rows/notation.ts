import { cut } from '../../text.ts'
import { type Decimal, detectDecimal, signIn, splitList } from './cell-values.ts'
import { isRounded } from './codes.ts'
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
  /** Whether the file has a column of reduced prices. */
  readonly hasSales: boolean
}

type Rows = readonly (readonly string[])[]

const textsOf = (
  rows: Rows,
  columns: readonly MappedColumn[],
  isMeant: (target: FieldTarget) => boolean,
): string[] => {
  const meant = columns.filter(({ target }) => isMeant(target))
  const seen = rows.slice(0, Math.ceil(CELLS / Math.max(1, meant.length)))
  return seen.flatMap((cells) => meant.map(({ index }) => cells[index] ?? ''))
}

/** Cells that are looked at together. A wide table has as many in its first rows. */
const CELLS = 50_000

const isNumber = (target: FieldTarget): boolean => fieldOf(target).kind === 'number'

export const decimalOf = (rows: Rows, columns: readonly MappedColumn[]): Decimal =>
  detectDecimal(textsOf(rows, columns, isNumber))

/** Whether rows have numbers such as 1.234 and none that proves the decimal separator. */
function isUndecided(rows: Rows, columns: readonly MappedColumn[]): boolean {
  const signs = new Set(textsOf(rows, columns, isNumber).map(signIn))
  return signs.has('both') && !signs.has('.') && !signs.has(',')
}

/** The decimal separator of a file by its first rows or, if they do not prove one, by `later`. */
export async function decimalOfFile(
  sample: Rows,
  columns: readonly MappedColumn[],
  later: () => AsyncIterable<Rows>,
): Promise<Decimal> {
  if (!isUndecided(sample, columns)) return decimalOf(sample, columns)
  for await (const rows of later()) {
    const sign = textsOf(rows, columns, isNumber).map(signIn).find(isProof)
    if (sign) return sign
  }
  return decimalOf(sample, columns)
}

const isProof = (sign: ReturnType<typeof signIn>): sign is Decimal => sign === '.' || sign === ','

const SIGN_NAMES: Readonly<Record<Decimal, string>> = { '.': 'point', ',': 'comma' }

/**
 * Notes numbers that contradict the notation of a file, those that can be read both ways, and codes
 * that a spreadsheet rounded.
 */
export function createDoubts(columns: readonly MappedColumn[], decimal: Decimal) {
  const numbers = columns.filter(({ target }) => isNumber(target)).map(({ index }) => index)
  const codes = columns
    .filter(({ target }) => targetName(target) === 'upcs')
    .map(({ index }) => index)
  const [against, unsure, rounded] = [createNoted(), createNoted(), createNoted()]
  return {
    see(line: number, cells: readonly string[]): void {
      for (const index of numbers) {
        const text = cells[index] ?? ''
        const sign = signIn(text)
        if (sign === undefined || sign === decimal) continue
        ;(sign === 'both' ? unsure : against).note(text, line)
      }
      for (const index of codes) {
        const text = cells[index] ?? ''
        if (splitList(text).some(isRounded)) rounded.note(text, line)
      }
    },
    /** Warnings about numbers that may be wrong, and about codes that are not used. */
    get warnings(): readonly string[] {
      const sign = SIGN_NAMES[decimal]
      return [
        ...(against.count > 0 && unsure.count > 0
          ? [
              `Numbers that contradict the decimal ${sign} of the file: ${against.count}, the first being ${against.first}. Check the numbers that can be read both ways and were read with a decimal ${sign}: ${unsure.count}, the first being ${unsure.first}.`,
            ]
          : []),
        ...(rounded.count > 0
          ? [
              `UPCs and EANs that a spreadsheet rounded are not used: ${rounded.count}, the first being ${rounded.first}. Export them as text.`,
            ]
          : []),
      ]
    },
  }
}

/** Characters of a cell that a warning shows. */
const SHOWN = 60

/** A number of cells, and the first one. */
const createNoted = () => ({
  count: 0,
  first: '',
  note(text: string, line: number): void {
    if (++this.count === 1) this.first = `"${cut(text.trim(), SHOWN)}" in row ${line}`
  },
})

const DATES = new Set(['vendor.saleFrom', 'vendor.saleUntil'])

export function notationOf(
  rows: Rows,
  columns: readonly MappedColumn[],
  decimal: Decimal,
): Notation {
  const dates = textsOf(rows, columns, (target) => DATES.has(targetName(target)))
  return {
    decimal,
    currency: commonCurrency(textsOf(rows, columns, isPrice), decimal),
    // Files with a decimal comma have the day first.
    isDayFirst: daysFirst(dates) ?? decimal === ',',
    hasSales: columns.some(({ target }) => targetName(target) === 'vendor.salePrice'),
  }
}
