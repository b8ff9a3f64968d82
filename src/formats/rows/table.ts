import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FileRows, ReadingSettings } from '../format.ts'
import { openSystem } from '../systems/open.ts'
import type { Decimal } from './cell-values.ts'
import { createTally } from './column-tally.ts'
import { usesOf } from './column-uses.ts'
import { currencyAdder } from './currency-column.ts'
import { type MappedColumn, targetName } from './fields.ts'
import { isSum } from './heading-row.ts'
import { headingStart } from './headings.ts'
import { mappedRow } from './mapped-row.ts'
import { createDoubts, decimalOfFile, notationOf } from './notation.ts'
import { batchesOf, type RawRow, type RowText } from './raw-row.ts'
import { checkCellCount, PASSED_OVER } from './row-shape.ts'
import { columnsFor } from './table-columns.ts'
import { type FoundHeadings, findHeadings, IDENTITY } from './table-headings.ts'

/** Rows of cells, the headings among them. */
export interface Table {
  /** Reads the rows from the beginning; twice unless `decimal` is given. */
  readonly rows: () => AsyncIterable<readonly RawRow[]>
  cellsOf(row: RowText): string[]
  /** Maximum number of cells in a row, by the first rows. */
  widthOf(rows: readonly (readonly string[])[]): number
  readonly delimiter?: string
  /** Absent to detect it from the numbers of the file. */
  readonly decimal?: Decimal
  /** The day as `YYYY-MM-DD`, on which values with a period must be valid. */
  readonly today: string
}

/** A row of cells with `length` characters, for `openCells`; undefined if it is empty. */
export function rowOfCells(
  line: number,
  cells: readonly string[],
  length: number,
): RawRow | undefined {
  if (length > limits.importRowBytes) {
    const problem = `the row is longer than ${limits.importRowBytes} characters`
    return { line, text: '[]', problem }
  }
  if (cells.every((cell) => cell.trim() === '')) return undefined
  return { line, text: JSON.stringify(cells) }
}

/** Opens rows that are already split into cells, with a decimal point in numbers. */
export const openCells = (
  rows: AsyncIterable<readonly RawRow[]>,
  settings: ReadingSettings,
  today: string,
): Promise<FileRows> =>
  openTable(
    {
      rows: () => rows,
      cellsOf: ({ text }) => JSON.parse(text) as string[],
      widthOf: (first) => first.reduce((most, { length }) => Math.max(most, length), 0),
      decimal: '.',
      today,
    },
    settings,
  )

/** Opens a table whose columns become product fields. Throws Invalid if they cannot be determined. */
export async function openTable(
  { rows, cellsOf, widthOf, delimiter, decimal, today }: Table,
  settings: ReadingSettings,
): Promise<FileRows> {
  const { header, vendor, fallbackVendor } = settings
  const batches = batchesOf(rows)
  const first = await batches.first()
  // Further cells are no columns, and one row may have a million of them.
  const texts = first.map((row: RowText) => cellsOf(row).slice(0, limits.importColumns + 1))
  // Tasks of earlier versions continue as they began.
  const isNew = settings.unmapped !== undefined
  const isFirst: FoundHeadings = { headings: texts[0] ?? [], at: 0, below: 1 }
  const found = header && isNew ? findHeadings(texts) : isFirst
  const width = Math.max(widthOf(texts.slice(found.at)), found.headings.length)
  if (width > limits.importColumns) {
    throw new Invalid(`The first row has more than ${limits.importColumns} cells.`)
  }
  // A damaged file may have columns without a name.
  const headings = found.headings.map((text: string | null) => text ?? '')
  const top = headings.map(headingStart)
  const from = header ? found.below : 0
  const sample = texts.slice(from)
  let waiting = first.slice(from)
  async function* all(): AsyncGenerator<readonly RawRow[]> {
    if (waiting.length > 0) yield waiting
    waiting = []
    yield* batches.rest()
  }
  async function* inCells(): AsyncGenerator<string[][]> {
    for await (const chunk of batches.look()) yield chunk.map(cellsOf)
  }
  const decimalFor = async (columns: readonly MappedColumn[]): Promise<Decimal> =>
    decimal ?? (await decimalOfFile(sample, columns, inCells))
  const line = first[found.at]?.line
  const place = header && line !== undefined && line > 0 ? { headingLine: line } : {}
  const moved = found.at > 0 ? [`Headings found in row ${line}.`] : []
  const common = { vendor, fallbackVendor, today }
  if (found.system && settings.columns === null) {
    const table = { headings: top, rows: all(), sample, cellsOf, delimiter, decimalFor }
    const opened = await openSystem(found.system, { ...table, format: common }, settings.unmapped)
    return { ...opened, notes: [...moved, ...opened.notes], ...place }
  }
  const { columns, notes, warnings } = first[0]
    ? columnsFor({ top, sample, width, delimiter }, settings)
    : NO_COLUMNS
  const priced = currencyAdder(header && isNew ? top : [], columns)
  const decided = await decimalFor(columns)
  const { currency, ...notation } = notationOf(sample.map(priced), columns, decided)
  const format = { ...common, columns, ...notation, currency: isNew ? currency : undefined }
  const tally = createTally(usesOf(header ? top : [], columns), width)
  const doubts = createDoubts(columns, notation.decimal)
  const above = texts.slice(found.at, found.below)
  const isNoRow = header && isNew ? noRowsOf([top, ...above], columns) : () => false
  let passed = 0
  return {
    batches: all(),
    read(row) {
      const cells = cellsOf(row)
      if (isNoRow(cells)) {
        if (tally.count(row, [])) passed++
        throw PASSED_OVER
      }
      if (tally.count(row, cells)) doubts.see(row.line, cells)
      return mappedRow(priced(checkCellCount(cells, width, row.after)), format)
    },
    original: cellsOf,
    headings: header ? headings : [],
    ...place,
    notes: [...moved, ...notes],
    columns: {
      ...tally,
      get warnings() {
        const skipped =
          passed > 0 ? [`Rows with totals or repeated headings skipped: ${passed}.`] : []
        return [...warnings, ...doubts.warnings, ...skipped]
      },
    },
    delimiter: delimiter ?? null,
  }
}

const NO_COLUMNS = { columns: [], notes: [], warnings: [] }

/**
 * Recognizes rows that are not products: sums, and repeated headings, as on each page of a list.
 * Remarks are not among them, since a part number may have several words. `tops` are the headings
 * as parsed and as written, in one or two rows.
 */
function noRowsOf(
  tops: readonly (readonly string[])[],
  columns: readonly MappedColumn[],
): (cells: readonly string[]) => boolean {
  const identity = columns.filter(({ target }) => IDENTITY.has(targetName(target)))
  const found = identity.map(({ index }) => index)
  const again = tops.flatMap((top) => {
    const named = top.findIndex((text) => text.trim() !== '')
    return named === -1 ? [] : [{ top, named }]
  })
  return (cells) =>
    again.some(
      ({ top, named }) =>
        cells[named] === top[named] && top.every((text, at) => (cells[at] ?? '') === text),
    ) || isSum(cells, found)
}
