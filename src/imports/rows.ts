import { isUtf8 } from 'node:buffer'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { cellsIn } from './reading/cells.ts'
import { csvRows } from './reading/csv.ts'
import { Damaged } from './reading/damaged.ts'
import { detectDelimiter } from './reading/delimiter.ts'
import { toUtf8 } from './reading/encoding.ts'
import { jsonlRows } from './reading/jsonl.ts'
import { inBatches, type RawRow, type RowBytes } from './reading/raw-row.ts'
import type { Survey } from './reading/survey.ts'
import type { Source } from './reading/unpack.ts'
import { checkIdentity } from './request.ts'
import { detectDecimal } from './rows/cells.ts'
import type { Original, RowChange } from './rows/change.ts'
import { BadRow, csvRow } from './rows/csv-row.ts'
import { type Column, fieldOf } from './rows/fields.ts'
import { jsonRow } from './rows/json-line.ts'
import { matchHeader } from './rows/mapping.ts'
import type { ImportSettings } from './settings.ts'

/** The rows of an import file, ready to be read one after the other. */
export interface ImportRows {
  readonly batches: AsyncIterable<readonly RawRow[]>
  /** A row of a batch, or again by its bytes alone. Throws BadRow with the reason. */
  read(row: RawRow): RowChange
  /** A row as it was in the file, to be listed. */
  original(row: RowBytes): Original
  /** Unpacked bytes that were looked at so far. */
  position(): number
  /** The header row, for the list of rejected rows. */
  readonly headings: readonly string[]
  /** What the user should know about how the file was read. */
  readonly notes: readonly string[]
}

const BATCH = { rows: 500, bytes: 1024 * 1024 }

/** Opens the rows of a surveyed file. Throws Invalid when its columns cannot be told. */
export async function openRows(
  source: Source,
  survey: Survey,
  settings: ImportSettings,
): Promise<ImportRows> {
  let position = 0
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of source.open()) {
        position += chunk.length
        yield chunk
      }
    } catch (error) {
      // The survey has seen it; the task says so in the end.
      if (!(error instanceof Damaged)) throw error
    }
  }
  const text = toUtf8(counted(), survey.encoding)
  const opened =
    settings.fileType === 'jsonl'
      ? openLines(text)
      : await openCells(text, { ...settings, ...dialectOf(survey, settings) })
  const read = survey.encoding === 'utf-8-damaged' ? refusing(opened.read) : opened.read
  return {
    ...opened,
    read,
    position: () => position,
    notes: [...encodingNotes(survey), ...opened.notes],
  }
}

type Opened = Omit<ImportRows, 'position'>

const openLines = (text: AsyncIterable<Buffer>): Opened => ({
  batches: inBatches(jsonlRows(text), BATCH),
  read: ({ bytes }) => jsonRow(bytes.toString('utf8')),
  original: ({ bytes }) => bytes.toString('utf8').trim(),
  headings: [],
  notes: [],
})

interface CellSettings extends ImportSettings {
  readonly delimiter: string
}

const dialectOf = (survey: Survey, { delimiter, quote }: ImportSettings) => ({
  delimiter: delimiter ?? detectDelimiter(survey.head, quote),
})

async function openCells(text: AsyncIterable<Buffer>, settings: CellSettings): Promise<Opened> {
  const { delimiter, quote, header, vendor } = settings
  const dialect = { delimiter, quote }
  const batches = inBatches(csvRows(text, dialect), BATCH)
  const cellsOf = ({ cells, bytes }: RawRow) => cells ?? cellsIn(bytes.toString('utf8'), dialect)
  const first = (await batches.next()).value ?? []
  if (first[0]?.problem) throw new Invalid(`Line ${first[0].line}: ${first[0].problem}.`)
  const top = first[0] ? cellsOf(first[0]) : []
  const { columns, notes } = first[0] ? columnsFor(top, settings) : NO_COLUMNS
  const sample = header ? first.slice(1) : first
  const format = { columns, vendor, decimal: decimalOf(sample.map(cellsOf), columns) }
  async function* all(): AsyncGenerator<readonly RawRow[]> {
    if (sample.length > 0) yield sample
    yield* batches
  }
  return {
    batches: all(),
    read: (row) => csvRow(cellsOf(row), format),
    original: (row) => cellsOf(row),
    headings: header ? top : [],
    notes,
  }
}

const NO_COLUMNS = { columns: [], notes: [] }

function columnsFor(first: readonly string[], settings: CellSettings) {
  const { delimiter, columns, vendor } = settings
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

function encodingNotes({ encoding }: Survey): string[] {
  if (encoding === 'utf-8') return []
  if (encoding !== 'utf-8-damaged') return [`Read as ${encoding}.`]
  return ['Read as utf-8, though some bytes of it are not.']
}

/** How the file writes numbers, by its first rows. */
function decimalOf(rows: readonly (readonly string[])[], columns: readonly Column[]) {
  const numbers = columns.filter(({ target }) => fieldOf(target).kind === 'number')
  return detectDecimal(rows.flatMap((cells) => numbers.map(({ index }) => cells[index] ?? '')))
}

/** In a damaged file only the rows that are damaged are refused. */
const refusing =
  (read: ImportRows['read']): ImportRows['read'] =>
  (row) => {
    if (!isUtf8(row.bytes)) throw new BadRow('not valid UTF-8')
    return read(row)
  }
