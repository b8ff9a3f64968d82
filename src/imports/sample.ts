import type { Sample } from '../extensions/contract.ts'
import type { Format } from '../formats/format.ts'
import { matchingHeader, namedTarget, spareBeside, usesOf } from '../formats/rows/column-uses.ts'
import { headingStart } from '../formats/rows/headings.ts'
import { decimalOf } from '../formats/rows/notation.ts'
import { columnsOfCells, columnsOfNamed, looksLikeHeader } from '../formats/rows/sample-columns.ts'
import { type Suggestion, suggesting } from '../formats/rows/suggest.ts'
import { layoutOf } from '../formats/systems/layout.ts'
import { systemOf } from '../formats/systems/systems.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { inSteps } from '../platform/in-steps.ts'
import { quoteOf, readingOf, requestFrom } from './request.ts'
import { ignoredText } from './tally.ts'
import { type FirstRows, firstRowsOf } from './viewed-file.ts'

/** Stands for a vendor that is not named yet, and is not shown. */
const ANY_VENDOR = 'vendor'

/**
 * Reads the first rows of the file in a request, detects its format, and suggests mappings. `given`
 * has the fields of an ImportQueueRequest. Throws Invalid.
 */
export async function sampleOf(
  ctx: Context,
  given: Readonly<Record<string, unknown>>,
): Promise<Sample> {
  const request = requestFrom({ ...given, mappings: [] })
  const asTable = { ...request, vendor: request.vendor ?? ANY_VENDOR, header: true }
  const settingsFor = (format: Format) => ({ ...readingOf(asTable, format), columns: [] })
  const file = await firstRowsOf(ctx, request, settingsFor, {
    count: limits.sampleRows,
    isSample: true,
  })
  const saidHeader = typeof given.header === 'boolean' || typeof given.header === 'string'
  const isTable = file.delimiter !== undefined
  const header = isTable && (saidHeader ? request.header : looksLikeHeader(file.headings))
  const { columns, suggestions, decimal, system, ...said } = isTable
    ? await table(file, header)
    : {
        ...{ columns: namedColumns(file), suggestions: [], decimal: null, system: null },
        ...ignoredIn(file),
      }
  return {
    columns,
    mappings: suggestions.map((one) => ({
      column: one.index,
      ...namedTarget(one.target),
      confidence: one.confidence,
    })),
    detected: {
      encoding: file.encoding === 'utf-8-damaged' ? 'utf-8' : file.encoding,
      delimiter: file.delimiter ?? null,
      quoteChar: file.delimiter ? quoteOf(request) : null,
      header,
      decimal,
      headerRow: header ? (file.headingLine ?? null) : null,
      system,
    },
    ...said,
  }
}

/** Warns about names in the first rows that products do not have. */
const ignoredIn = ({ ignored }: FirstRows): { warnings?: string[] } =>
  ignored.length > 0 ? { warnings: [ignoredText(ignored)] } : {}

/** Describes a table. Without a header, the row that was read as headings is data. */
async function table({ delimiter, headings, rows: raw }: FirstRows, header: boolean) {
  const top = header ? headings.map(headingStart) : []
  const data = raw.map(({ original }) => original as readonly string[])
  const rows = header || headings.length === 0 ? data : [headings, ...data]
  const system = systemOf(top)
  // Mappings of single columns cannot express how the rows of a system belong together.
  const suggestions = system ? [] : await inSteps(suggesting(header ? top : null, rows))
  return {
    system: system?.name ?? null,
    columns: columnsOfCells(top, rows.slice(0, limits.sampleRows)),
    suggestions,
    decimal: delimiter === null ? '.' : decimalOf(rows, suggestions),
    ...(header ? await columnUses(top, { rows, suggestions }) : {}),
  }
}

interface SampledColumns {
  readonly rows: readonly (readonly string[])[]
  readonly suggestions: readonly Suggestion[]
}

/** How an import without mappings uses the columns, and their numbers of values in these rows. */
async function columnUses(headings: readonly string[], { rows, suggestions }: SampledColumns) {
  const { uses, warnings } = await readingOfColumns(headings, suggestions)
  const valuesIn = (column: number) =>
    rows.filter((cells) => (cells[column] ?? '').trim() !== '').length
  return {
    becomes: uses
      .slice(0, limits.listedColumns)
      .map((use) => ({ ...use, values: valuesIn(use.column) })),
    warnings,
  }
}

async function readingOfColumns(headings: readonly string[], suggestions: readonly Suggestion[]) {
  const system = systemOf(headings)
  if (system) return { uses: layoutOf(system, headings, 'attribute').uses, warnings: [] }
  const matched = await inSteps(matchingHeader(headings, suggestions))
  const columns = [...matched.columns, ...spareBeside(headings, matched)]
  return { uses: usesOf(headings, columns), warnings: matched.warnings }
}

/** The values of a file without columns, by their own names. */
function namedColumns({ rows, headings }: FirstRows): string[][] {
  const first = rows.slice(0, limits.sampleRows)
  const named = first.flatMap((row) => (row.named ? [row.named] : []))
  if (named.length > 0) return columnsOfNamed(named)
  return columnsOfCells(
    headings,
    first.flatMap(({ original }) => (original ? [original as readonly string[]] : [])),
  )
}
