import { limits } from '../../limits.ts'
import type { OpenFile } from '../format.ts'
import {
  type ColumnUse,
  matchHeader,
  namedTarget,
  spareBeside,
  usesOf,
} from '../rows/column-uses.ts'
import { headingStart } from '../rows/headings.ts'
import { decimalOf } from '../rows/notation.ts'
import type { RawRow } from '../rows/raw-row.ts'
import { columnsOfCells, columnsOfNamed, looksLikeHeader } from '../rows/sample-columns.ts'
import { type Suggestion, suggestColumns } from '../rows/suggest.ts'
import { layoutOf } from '../systems/layout.ts'
import type { ShopSystem } from '../systems/system.ts'
import { systemOf } from '../systems/systems.ts'

/** What the first rows of a file contain. */
export interface FileSample {
  /** One list per column: its heading, then its values. */
  readonly columns: string[][]
  /** Suggested mappings of a table. */
  readonly mappings: (ReturnType<typeof namedTarget> & { column: number; confidence: number })[]
  /** Whether a table has headings. */
  readonly header: boolean
  readonly decimal: string | null
  readonly system: string | null
  /** How an import without mappings uses the columns of a table with headings. */
  readonly becomes?: (ColumnUse & { readonly values: number })[]
  readonly warnings?: string[]
}

/** Describes the first rows of a file. `header` says whether a table has headings; null to detect it. */
export function sampleOf(
  file: OpenFile,
  rows: readonly RawRow[],
  header: boolean | null,
): FileSample {
  if (file.delimiter !== undefined) {
    const hasHeadings = header ?? looksLikeHeader(file.headings)
    // Further cells are no columns, and a row may have a million of them.
    const cells = rows.map((row) => cellsIn(file, row).slice(0, limits.importColumns))
    return sampleOfTable(file, cells, hasHeadings)
  }
  const first = rows.filter(({ problem }) => problem === undefined).slice(0, limits.sampleRows)
  const { named } = file
  const columns =
    named && first.length > 0
      ? columnsOfNamed(first.map((row) => named(row)))
      : columnsOfCells(
          file.headings,
          first.map((row) => cellsIn(file, row)),
        )
  return { columns, mappings: [], header: false, decimal: null, system: null }
}

const cellsIn = (file: OpenFile, row: RawRow) => file.original(row) as readonly string[]

/** Without a header, the row that was read as headings is data. */
function sampleOfTable(
  { delimiter, headings }: OpenFile,
  cells: readonly (readonly string[])[],
  header: boolean,
): FileSample {
  const top = header ? headings.map(headingStart) : []
  const rows = header || headings.length === 0 ? cells : [headings, ...cells]
  const system = systemOf(top)
  // Mappings of single columns cannot express how the rows of a system belong together.
  const suggestions = system ? [] : suggestColumns(header ? top : null, rows)
  return {
    columns: columnsOfCells(top, rows.slice(0, limits.sampleRows)),
    mappings: suggestions.map(({ index, target, confidence }) => ({
      column: index,
      ...namedTarget(target),
      confidence,
    })),
    header,
    decimal: delimiter === null ? '.' : decimalOf(rows, suggestions),
    system: system?.name ?? null,
    ...(header ? columnUses(top, { rows, system, suggestions }) : {}),
  }
}

interface SampledColumns {
  readonly rows: readonly (readonly string[])[]
  readonly system: ShopSystem | undefined
  readonly suggestions: readonly Suggestion[]
}

function columnUses(
  headings: readonly string[],
  { rows, system, suggestions }: SampledColumns,
): Required<Pick<FileSample, 'becomes' | 'warnings'>> {
  const { uses, warnings } = system
    ? { uses: layoutOf(system, headings, 'attribute').uses, warnings: [] }
    : matchedUses(headings, suggestions)
  const valuesIn = (column: number) =>
    rows.filter((cells) => (cells[column] ?? '').trim() !== '').length
  return {
    becomes: uses
      .slice(0, limits.listedColumns)
      .map((use) => ({ ...use, values: valuesIn(use.column) })),
    warnings,
  }
}

function matchedUses(headings: readonly string[], suggestions: readonly Suggestion[]) {
  const matched = matchHeader(headings, suggestions)
  const columns = [...matched.columns, ...spareBeside(headings, matched)]
  return { uses: usesOf(headings, columns), warnings: matched.warnings }
}
