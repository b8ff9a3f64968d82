import type { StoredBytes } from './bytes/stored-bytes.ts'
import type { FileWriter } from './file-writer.ts'
import type { ColumnUse, Unmapped } from './rows/column-uses.ts'
import type { MappedColumn } from './rows/fields.ts'
import type { RawRow, RowText } from './rows/raw-row.ts'
import type { OriginalRow, RowChange } from './rows/row-change.ts'

/** A file format; registry.ts lists all. */
export interface Format {
  /** The value of `fileType`. */
  readonly type: string
  /** File extensions, without the dot. */
  readonly endings: readonly string[]
  /** Whether the content of a file has this type. Absent if the content does not tell. */
  readonly recognises?: (file: StoredBytes) => Promise<boolean>
  /** The reason why there are no columns to map. Absent for tables. */
  readonly unmapped?: string
  /** The default delimiter. Absent if it is detected, or if there is none. */
  readonly delimiter?: string
  /** The format of the list of rejected rows. */
  readonly rejectsAs: 'csv' | 'jsonl'
  /**
   * Reads the whole file first, so that nothing of a damaged one is imported, and then opens its
   * rows. Throws NotFound, Invalid.
   */
  open(file: StoredBytes, settings: ReadingSettings, options: OpenOptions): Promise<OpenFile>
  /** Absent if products cannot be exported as such a file. */
  readonly writer?: FileWriter
}

/** How the rows of a file are read. */
export interface ReadingSettings {
  /** Null to detect it in the first lines. */
  readonly delimiter: string | null
  readonly quote: string
  readonly header: boolean
  /** The entry of a zip archive. */
  readonly entry: string | null
  /** The sheet of a workbook; null for the first visible one. */
  readonly sheet: string | null
  /** Null to match columns by their headings. */
  readonly columns: readonly MappedColumn[] | null
  /**
   * What happens to unmapped columns. Null means attributes, unless `columns` are given. Absent in
   * tasks of earlier versions, which ignore them.
   */
  readonly unmapped?: Unmapped | null
  /** The vendor of rows that name none. */
  readonly vendor: string | null
  /**
   * The vendor of prices and stocks if `vendor` is null as well. Absent in tasks of earlier
   * versions.
   */
  readonly fallbackVendor?: string | null
}

export interface OpenOptions {
  readonly now: Date
  /** Maximum number of unpacked bytes to read; all when absent. */
  readonly most?: number
}

/** The rows of a file, ready to be read in order. */
export interface FileRows {
  readonly batches: AsyncIterable<readonly RawRow[]>
  /** Parses a row of a batch, or later only its text. Throws BadRow with the reason. */
  read(row: RawRow): RowChange
  /** A row as in the file, for the list of rejected rows. */
  original(row: RowText): OriginalRow
  /** The header row. */
  readonly headings: readonly string[]
  /** Notes for the user about how the file was read. */
  readonly notes: readonly string[]
  /** The delimiter of a table, null if it has none. Absent for other files. */
  readonly delimiter?: string | null
  /** Line of the headings, from 1. Absent if there are none. */
  readonly headingLine?: number
  /** The shop or catalog system from which the file comes, if known. */
  readonly system?: string
  /**
   * The way in which rows of the file were assembled into these. Absent if they are the rows of the
   * file.
   */
  readonly reading?: string
  /** The use of the columns of a table. Absent for other files. */
  readonly columns?: ColumnTally
  /** Names in rows read so far that products do not have, and whose values are ignored. */
  ignored?(): readonly string[]
  /** The values of a row that has its own field names. */
  named?(row: RowText): readonly (readonly [name: string, value: string])[]
}

/** The use of the columns of a table, and the number of values in each so far. */
export interface ColumnTally {
  readonly uses: readonly ColumnUse[]
  /** Warnings for the user. */
  readonly warnings: readonly string[]
  /** Number of values by column. Each row that was read counts once. */
  values(): readonly number[]
  /** Continues from the counts of an earlier run. */
  resume(values: readonly number[]): void
}

/** A surveyed file; must be closed. */
export interface OpenFile extends FileRows {
  /** Unpacked bytes. */
  readonly bytes: number
  /** Number of bytes that contained the rows so far. */
  position(): number
  /** The encoding used to read the file: utf-8, windows-1252 … */
  readonly encoding: string
  /** Whether only its beginning is read. */
  readonly isCut: boolean
  close(): Promise<void>
}
