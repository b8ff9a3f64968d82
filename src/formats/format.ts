import type { Original, RowChange } from './rows/change.ts'
import type { RawRow, RowText } from './rows/raw-row.ts'

/** The rows of an import file, ready to be read one after the other. */
export interface ImportRows {
  readonly batches: AsyncIterable<readonly RawRow[]>
  /** A row of a batch, or again by its text alone. Throws BadRow with the reason. */
  read(row: RawRow): RowChange
  /** A row as it was in the file, to be listed. */
  original(row: RowText): Original
  /** Unpacked bytes that were looked at so far. */
  position(): number
  /** The header row, for the list of rejected rows. */
  readonly headings: readonly string[]
  /** What the user should know about how the file was read. */
  readonly notes: readonly string[]
  /** How the file is read: utf-8, windows-1252 … */
  readonly encoding: string
  /** Of a file with columns, whose originals are cells: what divides them, null for nothing. */
  readonly delimiter?: string | null
}

/** Rows before anybody counts how far they are read. */
export type OpenedRows = Omit<ImportRows, 'position' | 'encoding'>

/** Rows and characters that are written together. */
export const BATCH = { rows: 500, length: 1024 * 1024 }
