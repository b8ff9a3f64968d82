import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FileRows, ReadingSettings } from '../format.ts'
import { type Decimal, detectDecimal } from './cell-values.ts'
import { createTally } from './column-tally.ts'
import {
  listed,
  matchHeader,
  noFieldFor,
  spareColumns,
  type Unmapped,
  usesOf,
} from './column-uses.ts'
import { fieldOf, type MappedColumn } from './fields.ts'
import { mappedRow } from './mapped-row.ts'
import { checkIdentity } from './mapping.ts'
import { inBatches, type RawRow, type RowText } from './raw-row.ts'
import { wellShaped } from './row-shape.ts'
import { isShopify } from './shopify.ts'
import { openShopify } from './shopify-table.ts'

/** Rows of cells, the headings among them. */
export interface Table {
  readonly rows: AsyncIterable<readonly RawRow[]>
  cellsOf(row: RowText): string[]
  /** Cells that a row may have, by the first rows. */
  widthOf(rows: readonly (readonly string[])[]): number
  readonly delimiter?: string
  /** Absent: by the numbers of the file. */
  readonly decimal?: Decimal
}

/** A row of cells of `length` characters, as openCells reads it; undefined for one without a value. */
export function rowOfCells(
  line: number,
  cells: readonly string[],
  length: number,
): RawRow | undefined {
  if (length > limits.importRowBytes) {
    const problem = `a row of more than ${limits.importRowBytes} characters`
    return { line, text: '[]', problem }
  }
  if (cells.every((cell) => cell.trim() === '')) return undefined
  return { line, text: JSON.stringify(cells) }
}

/** Opens rows whose cells are told apart already, and whose numbers have a decimal point. */
export const openCells = (rows: Table['rows'], settings: ReadingSettings): Promise<FileRows> =>
  openTable(
    {
      rows,
      cellsOf: ({ text }) => JSON.parse(text) as string[],
      widthOf: (first) => first.reduce((most, { length }) => Math.max(most, length), 0),
      decimal: '.',
    },
    settings,
  )

/** Opens a table whose columns become the fields of products. Throws Invalid when they cannot be told. */
export async function openTable(
  { rows, cellsOf, widthOf, delimiter, decimal }: Table,
  settings: ReadingSettings,
): Promise<FileRows> {
  const { header, vendor, fallbackVendor } = settings
  const batches = inBatches(rows)
  const first = (await batches.next()).value ?? []
  const texts = first.map(cellsOf)
  const width = widthOf(texts)
  if (width > limits.importColumns) {
    throw new Invalid(`The first row has more than ${limits.importColumns} cells.`)
  }
  // A damaged file may have columns without a name.
  const top = (texts[0] ?? []).map((text: string | null) => text ?? '')
  // Tasks of earlier versions go on as they began.
  const isOwnMeaning = header && settings.columns === null && settings.unmapped !== undefined
  if (isOwnMeaning && isShopify(top)) {
    const rest = (async function* () {
      yield first.slice(1)
      yield* batches
    })()
    return openShopify({ headings: top, rows: rest, cellsOf, delimiter }, settings)
  }
  const sample = header ? texts.slice(1) : texts
  const { columns, notes, warnings } = first[0]
    ? columnsFor({ top, sample, width, delimiter }, settings)
    : NO_COLUMNS
  const tally = createTally(usesOf(header ? top : [], columns), { width, warnings })
  const format = { columns, vendor, fallbackVendor, decimal: decimal ?? decimalOf(sample, columns) }
  let waiting = header ? first.slice(1) : first
  async function* all(): AsyncGenerator<readonly RawRow[]> {
    if (waiting.length > 0) yield waiting
    waiting = []
    yield* batches
  }
  return {
    batches: all(),
    read(row) {
      const cells = cellsOf(row)
      tally.count(row.line, cells)
      return mappedRow(wellShaped(cells, width, row.after), format)
    },
    original: cellsOf,
    headings: header ? top : [],
    notes,
    columns: tally,
    delimiter: delimiter ?? null,
  }
}

const NO_COLUMNS = { columns: [], notes: [], warnings: [] }

interface FirstRows {
  readonly top: readonly string[]
  readonly sample: readonly (readonly string[])[]
  readonly width: number
  readonly delimiter: string | undefined
}

function columnsFor({ top, sample, width, delimiter }: FirstRows, settings: ReadingSettings) {
  const { columns, header, vendor, fallbackVendor = null, unmapped = 'ignore' } = settings
  const headings = header ? top : []
  const how = delimiter === undefined ? '' : ` with the delimiter ${shown(delimiter)}`
  if (columns) {
    const beyond = columns.find(({ index }) => index >= width)
    if (!beyond) return withSpare(headings, { columns, repeated: [] }, unmapped ?? 'ignore')
    throw new Invalid(
      `mappings: there is no column ${beyond.index};${how} the file has ${width}, counted from 0.`,
    )
  }
  const matched = matchHeader(top, sample)
  if (matched.columns.length === 0) {
    throw new Invalid(
      `No heading of the first row is known: ${listed(top)}${how && ` (delimiter ${shown(delimiter!)})`}. Send mappings.`,
    )
  }
  checkIdentity(matched.columns, vendor ?? fallbackVendor)
  const { notes, ...used } = withSpare(headings, matched, unmapped ?? 'attribute')
  return { ...used, warnings: matched.warnings, notes }
}

/** What is left besides the columns that fill a field. Throws Invalid where nothing may be left. */
function withSpare(
  headings: readonly string[],
  { columns, repeated }: { columns: readonly MappedColumn[]; repeated: readonly string[] },
  unmapped: Unmapped,
) {
  const free = headings.map((text) => (repeated.includes(text.trim()) ? '' : text))
  const spare = spareColumns(free, columns)
  const names = spare.map(({ index }) => headings[index]!.trim())
  if (unmapped === 'fail' && names.length > 0) {
    throw noFieldFor(names)
  }
  const kept = unmapped === 'attribute' ? [...columns, ...spare] : columns
  const isKept = new Set(kept.map(({ index }) => index))
  const unused = free.filter((text, index) => text.trim() !== '' && !isKept.has(index))
  return {
    columns: kept,
    warnings: [],
    notes: [
      ...(unmapped === 'attribute' && names.length > 0
        ? [`Columns kept as attributes: ${listed(names)}.`]
        : []),
      ...(unused.length > 0 && unmapped === 'attribute'
        ? [`Columns not used: ${listed(unused)}.`]
        : []),
      ...(repeated.length > 0
        ? [`Columns not used, since they repeat one: ${listed(repeated)}.`]
        : []),
    ],
  }
}

const shown = (delimiter: string): string => (delimiter === '\t' ? 'tab' : `"${delimiter}"`)

/** How the file writes numbers, by its first rows. */
function decimalOf(rows: readonly (readonly string[])[], columns: readonly MappedColumn[]) {
  const numbers = columns.filter(({ target }) => fieldOf(target).kind === 'number')
  return detectDecimal(rows.flatMap((cells) => numbers.map(({ index }) => cells[index] ?? '')))
}
