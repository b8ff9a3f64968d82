import type { FileRecord } from '../files/store.ts'
import type { FileWriter } from '../formats/file-writer.ts'
import { formatOf } from '../formats/registry.ts'
import type { Mode } from '../search/cursor.ts'
import type { SearchRequest } from '../search/request-schemas.ts'

export const EXPORT_KIND = 'export'

/** The file of an export; its id is given out before the file exists. */
export type FileTarget = Pick<FileRecord, 'id' | 'name' | 'type'>

/** Where pages are sent to. */
export interface PageTarget {
  readonly url: string
  /** Sealed, bound to the organization and the url. */
  readonly secret: string
  readonly pageSize: number
}

/** How products are passed to a remote extension. */
export interface RemoteTarget {
  /** Values for this run as JSON, sealed: a password may be among them. */
  readonly fields: string
  /** The origin of the extension for which the fields are sealed. */
  readonly origin?: string | null
  readonly pageSize: number
}

/** An export to a file. */
export interface FileDestination {
  /** One of FILE_TYPES that has a writer. */
  readonly format: string
  readonly file: FileTarget
  /** Settings of the format's writer. */
  readonly settings?: unknown
  /** The settings in tasks that were queued before formats had settings of their own. */
  readonly csv?: unknown
}

/** Where an export goes, and how it is written. */
type Destination =
  | FileDestination
  | { readonly format: 'http'; readonly pages: PageTarget }
  | { readonly format: 'remote'; readonly remote: RemoteTarget }

/** The writer of an exported file, and its settings. */
export const writerOf = ({ format, settings, csv }: FileDestination) => ({
  writer: formatOf(format)!.writer! as FileWriter,
  settings: settings ?? csv ?? null,
})

/** The exported products: named by id, or those of a catalog, optionally limited by a search. */
export interface ExportSelection {
  readonly products: readonly { readonly catalog: string; readonly id: string }[] | null
  readonly catalog: string
  readonly search: SearchRequest | null
}

/** The input of an export's task. */
export interface ExportJob {
  /** The installation that runs the export, for its log and for the type of links. */
  readonly installed: { readonly id: string; readonly name: string }
  readonly selection: ExportSelection
  readonly to: Destination
}

/** Where an export resumes after an interruption. */
export interface ExportCheckpoint {
  /** Number of products to export, counted at the beginning. */
  readonly total: number
  readonly mode: Mode
  /** Columns of the file, decided at the beginning. */
  readonly headings: readonly string[]
  /** The number of processed products, and the id of the last one in a catalog. */
  readonly exported: number
  readonly after: string | null
  readonly done: boolean
  /** Stored parts of the file, and their bytes. */
  readonly parts: readonly string[]
  readonly bytes: number
  /** Pages that were sent. */
  readonly pages: number
  /** Links that were stored. */
  readonly linked: number
}

/** The checkpoint of a new export. */
export const initialExportCheckpoint = (
  known: Pick<ExportCheckpoint, 'total' | 'mode' | 'headings'>,
): ExportCheckpoint => ({
  ...known,
  exported: 0,
  after: null,
  done: false,
  parts: [],
  bytes: 0,
  pages: 0,
  linked: 0,
})
