import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { BATCH, type OpenedRows } from './import-rows.ts'
import { cellsIn } from './reading/cells.ts'
import { csvRows } from './reading/csv.ts'
import { detectDelimiter } from './reading/delimiter.ts'
import { inBatches, type RawRow, type RowText } from './reading/raw-row.ts'
import type { Survey } from './reading/survey.ts'
import { checkIdentity } from './request.ts'
import { detectDecimal } from './rows/cells.ts'
import { BadRow, csvRow } from './rows/csv-row.ts'
import { type Column, fieldOf } from './rows/fields.ts'
import { matchHeader } from './rows/mapping.ts'
import type { ImportSettings } from './settings.ts'

/** Opens the rows of a quoted file. Throws Invalid when its columns cannot be told. */
export async function openCells(
  text: AsyncIterable<Buffer>,
  { head }: Survey,
  settings: ImportSettings,
): Promise<OpenedRows> {
  const { quote, header, vendor } = settings
  const dialect = { delimiter: settings.delimiter ?? detectDelimiter(head, quote), quote }
  const batches = inBatches(csvRows(text, dialect), BATCH)
  const cellsOf = ({ text }: RowText) => cellsIn(text, dialect)
  const first = (await batches.next()).value ?? []
  const top = first[0] ? cellsOf(first[0]) : []
  if (top.length > limits.importColumns) {
    throw new Invalid(`The first row has more than ${limits.importColumns} cells.`)
  }
  const { columns, notes } = first[0] ? columnsFor(top, settings, dialect.delimiter) : NO_COLUMNS
  const sample = header ? first.slice(1) : first
  const format = { columns, vendor, decimal: decimalOf(sample.map(cellsOf), columns) }
  async function* all(): AsyncGenerator<readonly RawRow[]> {
    if (sample.length > 0) yield sample
    yield* batches
  }
  return {
    batches: all(),
    read: (row) => csvRow(wellShaped(cellsOf(row), top.length, row.after), format),
    original: (row) => cellsOf(row),
    headings: header ? top : [],
    notes,
  }
}

/** Missing cells are empty; additional ones with something in them are refused. */
function wellShaped(cells: readonly string[], width: number, after: number | undefined) {
  if (cells.length === width) return cells
  if (cells.length > limits.importColumns) {
    throw new BadRow(`more than ${limits.importColumns} cells`)
  }
  if (cells.slice(width).some((cell) => cell.trim() !== '')) {
    throw new BadRow(`${cells.length} cells, the first row has ${width}`)
  }
  // What follows a broken row may be the inside of a cell: only whole rows are believed.
  if (after === undefined) return cells
  throw new BadRow(
    `${cells.length} cells instead of ${width}, after the broken row in line ${after}`,
  )
}

const NO_COLUMNS = { columns: [], notes: [] }

function columnsFor(first: readonly string[], settings: ImportSettings, delimiter: string) {
  const { columns, vendor } = settings
  if (columns) {
    const beyond = columns.find(({ index }) => index >= first.length)
    if (!beyond) return { columns, notes: [] }
    throw new Invalid(
      `mappings: there is no column ${beyond.index}; with the delimiter ${shown(delimiter)} the file has ${first.length}, counted from 0.`,
    )
  }
  const matched = matchHeader(first)
  if (matched.columns.length === 0) {
    throw new Invalid(
      `No heading of the first row is known: ${list(first)} (delimiter ${shown(delimiter)}). Send mappings.`,
    )
  }
  checkIdentity(matched.columns, vendor)
  return { columns: matched.columns, notes: headerNotes(matched) }
}

const shown = (delimiter: string): string => (delimiter === '\t' ? 'tab' : `"${delimiter}"`)

const NAMED = 10

function list(names: readonly string[]): string {
  const short = names.slice(0, NAMED).map((name) => name.slice(0, limits.nameLength).toWellFormed())
  return short.join(', ') + (names.length > NAMED ? ` and ${names.length - NAMED} more` : '')
}

function headerNotes({ unknown, repeated }: ReturnType<typeof matchHeader>): string[] {
  return [
    ...(unknown.length > 0 ? [`Columns not used: ${list(unknown)}.`] : []),
    ...(repeated.length > 0 ? [`Columns not used, since they repeat one: ${list(repeated)}.`] : []),
  ]
}

/** How the file writes numbers, by its first rows. */
function decimalOf(rows: readonly (readonly string[])[], columns: readonly Column[]) {
  const numbers = columns.filter(({ target }) => fieldOf(target).kind === 'number')
  return detectDecimal(rows.flatMap((cells) => numbers.map(({ index }) => cells[index] ?? '')))
}
