import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { csvRows } from './reading/csv.ts'
import { Damaged } from './reading/damaged.ts'
import { detectDelimiter } from './reading/delimiter.ts'
import { toUtf8 } from './reading/encoding.ts'
import { jsonlRows } from './reading/jsonl.ts'
import { inBatches, type RawRow } from './reading/raw-row.ts'
import type { Survey } from './reading/survey.ts'
import type { Source } from './reading/unpack.ts'
import { checkIdentity } from './request.ts'
import { detectDecimal } from './rows/cells.ts'
import type { RowChange } from './rows/change.ts'
import { BadRow, csvRow, type RowFormat } from './rows/csv-row.ts'
import { type Column, fieldOf } from './rows/fields.ts'
import { jsonRow } from './rows/json-line.ts'
import { matchHeader } from './rows/mapping.ts'
import type { ImportSettings } from './settings.ts'

/** The rows of an import file, ready to be read one after the other. */
export interface ImportRows {
  readonly batches: AsyncIterable<readonly RawRow[]>
  /** Throws BadRow with the reason. */
  read(row: RawRow): RowChange
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
  const readable = survey.encoding === 'utf-8-damaged' ? refusing(opened.read) : opened.read
  return {
    ...opened,
    read: readable,
    position: () => position,
    notes: [...encodingNotes(survey), ...opened.notes],
  }
}

type Opened = Omit<ImportRows, 'position'>

const openLines = (text: AsyncIterable<Buffer>): Opened => ({
  batches: inBatches(jsonlRows(text), BATCH),
  read: (row) => jsonRow(row.line, row.original as string),
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
  const batches = inBatches(csvRows(text, { delimiter, quote }), BATCH)
  const first = (await batches.next()).value ?? []
  if (first[0]?.problem) throw new Invalid(`Line ${first[0].line}: ${first[0].problem}.`)
  const headings = header ? cellsOf(first[0]) : []
  const { columns, notes } = first[0] ? columnsFor(cellsOf(first[0]), settings) : NO_COLUMNS
  const sample = header ? first.slice(1) : first
  const format: RowFormat = { columns, vendor, decimal: decimalOf(sample, columns) }
  async function* all(): AsyncGenerator<readonly RawRow[]> {
    if (sample.length > 0) yield sample
    yield* batches
  }
  return {
    batches: all(),
    read: (row) => csvRow(row.line, cellsOf(row), format),
    headings,
    notes,
  }
}

const cellsOf = (row: RawRow | undefined): readonly string[] =>
  (row?.original ?? []) as readonly string[]

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
function decimalOf(rows: readonly RawRow[], columns: readonly Column[]) {
  const numbers = columns.filter(({ target }) => fieldOf(target).kind === 'number')
  return detectDecimal(rows.flatMap((row) => numbers.map(({ index }) => cellsOf(row)[index] ?? '')))
}

/** In damaged text a replacement character stands for bytes that nobody can read. */
const refusing =
  (read: ImportRows['read']): ImportRows['read'] =>
  (row) => {
    const { original } = row
    const texts = typeof original === 'string' ? [original] : original
    if (texts.some((text) => text.includes('\ufffd'))) throw new BadRow('not valid UTF-8')
    return read(row)
  }
