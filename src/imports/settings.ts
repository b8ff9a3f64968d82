import type { Vendors } from '../extensions/contract.ts'
import type { ReadingSettings } from '../formats/format.ts'
import type { KeptFile, RemoteFile } from './remote-file.ts'

/** How a file is read, and whose offers are accepted. */
export interface FileSettings extends ReadingSettings {
  /** One of FILE_TYPES. */
  readonly fileType: string
  /** `one`: a row that names another vendor is rejected. Absent in tasks of earlier versions: `all`. */
  readonly vendors?: Vendors
}

/** The checked settings of an import, stored as the input of its task. */
export interface ImportSettings extends FileSettings {
  readonly catalog: string
  readonly file: KeptFile
  /** The file has all offers of the vendor; its other offers are removed. */
  readonly fullFile: boolean
  /** What becomes of products whose last offer goes so; absent in tasks of earlier versions: they stay. */
  readonly missing?: 'keep' | 'hide' | 'delete'
  /** What becomes of pictures elsewhere; absent in tasks of earlier versions: they stay there. */
  readonly pictures?: 'keep' | 'fetch'
  readonly createProducts: boolean
  readonly updateMetadata: boolean
  readonly normalizeManufacturerName: boolean
}

/** The settings as they are queued; the file may be elsewhere. */
export type ImportInput = Omit<ImportSettings, 'file'> & { readonly file: KeptFile | RemoteFile }
