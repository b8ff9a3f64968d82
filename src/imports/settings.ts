import type { Vendors } from '../extensions/contract.ts'
import type { ReadingSettings } from '../formats/format.ts'
import type { KeptFile, RemoteFile } from './remote-file.ts'

/** How a file is read, and whose offers count. */
export interface FileSettings extends ReadingSettings {
  /** One of FILE_TYPES. */
  readonly fileType: string
  /** `one`: a row that names another vendor is rejected. Absent of what was queued before that: `all`. */
  readonly vendors?: Vendors
}

/** What an import does, checked when it was asked for; kept as the input of its task. */
export interface ImportSettings extends FileSettings {
  readonly catalog: string
  readonly file: KeptFile
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
