import type { TaskCatalog } from '../catalogs/store.ts'
import type { Vendors } from '../extensions/contract.ts'
import type { ReadingSettings } from '../formats/format.ts'
import type { KeptFile, RemoteFile } from './remote-file.ts'
import type { ImportRequest } from './schemas.ts'

/** How a file is read, and whose offers are accepted. */
export interface FileSettings extends ReadingSettings {
  /** One of FILE_TYPES. */
  readonly fileType: string
  /**
   * With `one`, rows that name another vendor are rejected. Absent in tasks of earlier versions,
   * which accept all.
   */
  readonly vendors?: Vendors
}

/** The checked settings of an import, stored as the input of its task. */
export interface ImportSettings extends FileSettings, TaskCatalog {
  readonly file: KeptFile
  /** Whether the file has all offers of the vendor, so that its other offers are removed. */
  readonly fullFile: boolean
  /** Absent in tasks of earlier versions, which keep products that lose their last offer. */
  readonly missing?: ImportRequest['missing']
  /** Absent in tasks of earlier versions, which keep pictures at other addresses. */
  readonly pictures?: ImportRequest['pictures']
  readonly createProducts: boolean
  readonly updateMetadata: boolean
  readonly normalizeManufacturerName: boolean
}

/** The queued settings, in which the file may be remote. */
export type ImportInput = Omit<ImportSettings, 'file'> & { readonly file: KeptFile | RemoteFile }
