import type { FileRows, ReadingSettings } from '../format.ts'
import type { Decimal } from '../rows/cell-values.ts'
import { createTally } from '../rows/column-tally.ts'
import { repeatedNote } from '../rows/column-uses.ts'
import { type MappedColumn, targetOf } from '../rows/fields.ts'
import type { RowFormat } from '../rows/mapped-row.ts'
import { valuesRow } from '../rows/named-values.ts'
import { createDoubts, notationOf } from '../rows/notation.ts'
import { inBatches, type RawRow, type RowText } from '../rows/raw-row.ts'
import { checkCellCount } from '../rows/row-shape.ts'
import { familyRows } from './families.ts'
import { familyText, type RowProblem } from './family-rows.ts'
import { type Layout, layoutOf, rowTexts, valuesOf } from './layout.ts'
import { withPriceColumns } from './price-columns.ts'
import type { RowTexts, ShopSystem } from './system.ts'

/** The way in which rows are assembled. It must change whenever a file results in other rows. */
const READING = 'families 4'

export interface SystemTable {
  /** The rows below the headings. */
  readonly rows: AsyncIterable<readonly RawRow[]>
  cellsOf(row: RowText): readonly string[]
  readonly headings: readonly string[]
  readonly delimiter: string | undefined
  /** Cells of the first rows. */
  readonly sample: readonly (readonly string[])[]
  readonly format: Omit<RowFormat, 'columns' | 'decimal'>
  /** The decimal separator of numbers in these columns. */
  decimalFor(columns: readonly MappedColumn[]): Promise<Decimal>
}

/**
 * Opens the product file of a system, whose columns and families of rows are known. Throws Invalid.
 */
export async function openSystem(
  system: ShopSystem,
  { headings, rows, cellsOf, delimiter, sample, format: given, decimalFor }: SystemTable,
  unmapped: ReadingSettings['unmapped'],
): Promise<FileRows> {
  const found = layoutOf(system, headings, unmapped ?? 'attribute')
  const known = withPriceColumns(found, sample)
  const columns = columnsOf(known)
  const notation = notationOf(sample, columns, await decimalFor(columns))
  const doubts = createDoubts(columns, notation.decimal)
  const layout = { ...known, decimal: notation.decimal }
  const tally = createTally(layout.uses, headings.length)
  const format = { ...given, ...notation }
  const counts = { hidden: 0, orphan: 0, late: 0, nothing: 0, missing: 0, repeated: 0 }
  /** The values of a row. Throws BadRow if its cells do not match the headings. */
  const said = (row: RawRow, cells: readonly string[]): RowTexts => {
    const isFirst = tally.count(row, cells)
    if (isFirst) doubts.see(row.line, cells)
    const all = rowTexts(layout, checkCellCount(cells, headings.length, row.after))
    if (isFirst && system.isHidden?.(all)) counts.hidden++
    return all
  }
  const isPlain = system.families === undefined
  const reading = {
    layout,
    cellsOf,
    said,
    lost: (kind: RowProblem, rows = 1) => {
      counts[kind] += rows
    },
  }
  return {
    batches: isPlain ? inBatches(rows) : inBatches(familyRows(rows, reading)),
    read: (row) =>
      isPlain
        ? valuesRow(valuesOf(layout, said(row, cellsOf(row))), format)
        : valuesRow(familyText(row).values, format),
    original: isPlain ? cellsOf : (row) => familyText(row).cells,
    headings,
    notes: [`Read as a products file of ${system.name}.`, ...repeatedNote(layout.repeated)],
    columns: {
      ...tally,
      // Families are assembled and counted again after an interruption.
      resume: isPlain ? tally.resume : () => undefined,
      get warnings() {
        return [...warningsOf(system.name, counts), ...doubts.warnings]
      },
    },
    delimiter: delimiter ?? null,
    system: system.name,
    ...(isPlain ? {} : { reading: READING }),
  }
}

const columnsOf = ({ uses }: Layout) =>
  uses.flatMap(({ column, field, attribute }) =>
    field === null ? [] : [{ index: column, target: targetOf(field, attribute)! }],
  )

/** Warnings about rows, by their number and the name of the system. */
const WARNINGS: Readonly<Record<'hidden' | RowProblem, (rows: number, name: string) => string>> = {
  hidden: (rows, name) =>
    `Rows of products that are drafts, archived or unpublished in ${name}: ${rows}. They are imported like the others.`,
  orphan: (rows) =>
    `Rows of variants whose main row is missing before them, or too far above: ${rows}. They have only their own values.`,
  late: (rows) =>
    `Main rows that became products themselves because their variants are too far below: ${rows}.`,
  repeated: (rows) =>
    `Rows with the same id or SKU as an earlier row: ${rows}. The last row counts. Give each variant its own SKU.`,
  missing: (rows) =>
    `Variants that are listed but have no row of their own among the rows read: ${rows}. New ones only have an id, a group and options.`,
  nothing: (rows) =>
    `Rows that are not products, such as translations or rules: ${rows}. They are skipped.`,
}
const WARNED = Object.keys(WARNINGS) as (keyof typeof WARNINGS)[]

const warningsOf = (name: string, found: Readonly<Record<keyof typeof WARNINGS, number>>) =>
  WARNED.flatMap((kind) => (found[kind] > 0 ? [WARNINGS[kind](found[kind], name)] : []))
