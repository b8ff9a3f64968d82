import type { ByteRange, StoredBytes } from '../bytes/stored-bytes.ts'
import type { OpenFile, OpenOptions, ReadingSettings } from '../format.ts'
import type { RowChange } from '../rows/row-change.ts'
import type { FileSample } from './file-sample.ts'

/** A file as its thread describes it, once it is surveyed. */
export interface FileDescription
  extends Pick<OpenFile, 'headings' | 'notes' | 'bytes' | 'encoding' | 'isCut'>,
    Pick<OpenFile, 'delimiter' | 'headingLine' | 'system' | 'reading'> {
  readonly uses?: NonNullable<OpenFile['columns']>['uses']
  readonly warnings: readonly string[]
}

interface RowPlace {
  /** Line of the file where it begins, from 1. */
  readonly line: number
  /** Characters of its text, or its bytes in UTF-8. */
  readonly length: number
}

/** A row as it was read. */
export interface FileRow extends RowPlace {
  /** What it changes, or why it is rejected. Undefined if it is no product. */
  readonly read: RowChange | string | undefined
  /** Its cells as in the file. Only if requested. */
  readonly cells?: readonly string[]
}

/** A row as the thread sends it: its change and its cells are JSON, which is cheap to copy. */
export interface SentRow extends RowPlace {
  /** Absent if it is rejected, or is no product. */
  readonly change?: string
  /** Why it is rejected. */
  readonly problem?: string
  readonly cells?: string
}

/** Rows in the order of the file; none if all are skipped. */
export interface FileBatch<Row = FileRow> {
  readonly rows: readonly Row[]
  /** Whether the file has ended. The last batch has no rows. */
  readonly isEnd: boolean
  /** Number of rows before these. */
  readonly before: number
  /** Number of bytes that contained the rows so far. */
  readonly position: number
  /** Number of values by column so far; absent if the file is no table. */
  readonly columnValues?: readonly number[]
  readonly warnings: readonly string[]
  readonly sample?: FileSample
  /** Names in rows read so far that products do not have; absent if the format has fixed ones. */
  readonly ignored?: readonly string[]
}

/** Where rows begin, and what is returned of each. */
export interface RowsRequest {
  /** Number of rows to skip, which an earlier run read. */
  readonly skip?: number
  /** Number of values by column in the skipped rows. */
  readonly columnValues?: readonly number[]
  /** Number of rows after which the file counts as ended; all when absent. */
  readonly count?: number
  /** Whether the rows of a table are returned as cells, and not read. */
  readonly areCells?: boolean
  /**
   * Describes the rows in the last batch, in place of returning them. `header` says whether a table
   * has headings; null to detect it.
   */
  readonly sample?: { readonly header: boolean | null }
}

export interface OpenRequest extends OpenOptions {
  readonly fileType: string
  readonly settings: ReadingSettings
  readonly file: Omit<StoredBytes, 'read' | 'restedMs'>
}

/** A row that is not imported, and why. */
export interface RejectedRow {
  readonly line: number
  /** Its number among all rows, from 1. */
  readonly number: number
  readonly reason: string
}

/** What the thread is asked to do, one at a time. */
export type WorkerCall =
  | { readonly call: 'open'; readonly request: OpenRequest }
  | { readonly call: 'rows'; readonly request: RowsRequest }
  /** Asks for the next rows, `rows` at most. */
  | { readonly call: 'next'; readonly rows: number }
  | { readonly call: 'rejectedLines'; readonly rows: readonly RejectedRow[]; readonly upTo: number }
  | { readonly call: 'close' }

/** A chunk of the file for the thread; null at the end of the range. */
export interface ChunkForWorker {
  readonly read: number
  readonly chunk: Uint8Array | null
}

export type WorkerMessage =
  | { readonly done: unknown }
  | {
      readonly failed: { readonly code: string; readonly message: string; readonly stack?: string }
    }
  /** Asks for the next chunk of a range, which begins with the first request for it. */
  | { readonly pull: number; readonly range: ByteRange }
  | { readonly drop: number }
