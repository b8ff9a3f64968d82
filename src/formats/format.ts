import type { StoredBytes } from './bytes/stored-bytes.ts'
import type { FileWriter } from './file-writer.ts'
import type { ColumnUse, Unmapped } from './rows/column-uses.ts'
import type { MappedColumn } from './rows/fields.ts'
import type { RawRow, RowText } from './rows/raw-row.ts'
import type { OriginalRow, RowChange } from './rows/row-change.ts'

/** A file format; registry.ts lists all. */
export interface Format {
  /** As `fileType` says it. */
  readonly type: string
  /** Endings of file names, without the dot. */
  readonly endings: readonly string[]
  /** Whether a file is of this type by its own bytes. Absent where those do not tell. */
  readonly recognises?: (file: StoredBytes) => Promise<boolean>
  /** Why there are no columns to map. Absent of a table. */
  readonly unmapped?: string
  /** Default delimiter. Absent: detected, or none. */
  readonly delimiter?: string
  /** The type of the list of its rejected rows. */
  readonly rejectsAs: 'csv' | 'jsonl'
  /**
   * Looks through the whole file, so that nothing of a damaged one is imported, and opens its rows.
   * Throws NotFound, Invalid, Interrupted when cancelled.
   */
  open(file: StoredBytes, settings: ReadingSettings, options: OpenOptions): Promise<OpenFile>
  /** Absent: products are not exported as such a file. */
  readonly writer?: FileWriter
}

/** How the rows of a file are read. */
export interface ReadingSettings {
  /** Null: detected in the first line. */
  readonly delimiter: string | null
  readonly quote: string
  readonly header: boolean
  /** The entry of a zip archive. */
  readonly entry: string | null
  /** Of a workbook; null: the first visible one. */
  readonly sheet: string | null
  /** Null: matched by the headings. */
  readonly columns: readonly MappedColumn[] | null
  /** Null: attributes, unless `columns` are given. Absent in tasks of earlier versions: ignored. */
  readonly unmapped?: Unmapped | null
  /** Whose offers the rows are that do not say it. */
  readonly vendor: string | null
  /** Whose a price or a stock is where not even that is known; absent in tasks of earlier versions. */
  readonly fallbackVendor?: string | null
}

export interface OpenOptions {
  readonly now: Date
  readonly isCancelled: () => boolean
  /** The most unpacked bytes to read; all when absent. */
  readonly most?: number
}

/** The rows of a file, ready to be read one after the other. */
export interface FileRows {
  readonly batches: AsyncIterable<readonly RawRow[]>
  /** A row of a batch, or again by its text alone. Throws BadRow with the reason. */
  read(row: RawRow): RowChange
  /** A row as it was in the file: the cells of a table, to be listed. */
  original(row: RowText): OriginalRow
  /** The header row. */
  readonly headings: readonly string[]
  /** What the user should know about how the file was read. */
  readonly notes: readonly string[]
  /** Sign between the cells of a table, null for none. Absent of other files. */
  readonly delimiter?: string | null
  /** Line of the headings, from 1. Absent without any. */
  readonly headingLine?: number
  /** The shop or catalog system that the file comes from, where it is known. */
  readonly system?: string
  /** How rows of the file were put together to these; absent where they are those of the file. */
  readonly reading?: string
  /** What becomes of the columns of a table. Absent of other files. */
  readonly columns?: ColumnTally
  /** The values of a row that names them itself. */
  named?(row: RowText): readonly (readonly [name: string, value: string])[]
}

/** What became of the columns of a table, and how many values each had so far. */
export interface ColumnTally {
  readonly uses: readonly ColumnUse[]
  /** What the user should look at. */
  readonly warnings: readonly string[]
  /** Values by column, of rows that were read, each row counted once. */
  values(): readonly number[]
  /** Goes on counting from what an earlier run had counted. */
  resume(values: readonly number[]): void
}

/** A surveyed file; must be closed. */
export interface OpenFile extends FileRows {
  /** Unpacked bytes. */
  readonly bytes: number
  /** Those of them that the rows so far were in. */
  position(): number
  /** How the file is read: utf-8, windows-1252 … */
  readonly encoding: string
  /** Only its beginning is read. */
  readonly isCut: boolean
  close(): Promise<void>
}
