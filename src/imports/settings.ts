import type { Vendors } from '../extensions/contract.ts'
import type { Column } from '../formats/rows/fields.ts'
import type { KeptFile, RemoteFile } from './remote-file.ts'

export const FILE_TYPES = ['csv', 'tsv', 'jsonl', 'xlsx', 'bmecat', 'cif'] as const
export type FileType = (typeof FILE_TYPES)[number]

/** How the rows of a file are read. */
export type ReadingSettings = Pick<
  ImportSettings,
  | 'fileType'
  | 'delimiter'
  | 'quote'
  | 'header'
  | 'entry'
  | 'sheet'
  | 'columns'
  | 'vendor'
  | 'vendors'
>

/** What an import does, checked when it was asked for; kept as the input of its task. */
export interface ImportSettings {
  readonly catalog: string
  readonly file: KeptFile
  readonly fileType: FileType
  /** Null: found out from the first line. */
  readonly delimiter: string | null
  readonly quote: string
  readonly header: boolean
  /** The entry of a zip archive. */
  readonly entry: string | null
  /** Of a workbook; null: the first one. */
  readonly sheet: string | null
  /** Null: matched by the names in the header row. */
  readonly columns: readonly Column[] | null
  readonly vendor: string | null
  /** `one`: a row that names another vendor is rejected. Absent of what was queued before that: `all`. */
  readonly vendors?: Vendors
  /** The file has all offers of the vendor: others of it are removed. */
  readonly fullFile: boolean
  readonly createProducts: boolean
  readonly updateMetadata: boolean
  readonly normalizeManufacturerName: boolean
}

/** The settings as they are queued, the file perhaps elsewhere. */
export type ImportInput<F = KeptFile | RemoteFile> = Omit<ImportSettings, 'file'> & {
  readonly file: F
}
