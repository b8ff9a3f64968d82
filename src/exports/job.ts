import type { FileWriter } from '../formats/file-writer.ts'
import { formatOf } from '../formats/registry.ts'
import type { Mode } from '../search/cursor.ts'
import type { SearchRequest } from '../search/request-schemas.ts'

export const EXPORT_KIND = 'export'

/** The file of an export; its id is handed out before it exists. */
export interface FileTarget {
  readonly id: string
  readonly name: string
  readonly type: string
}

/** Where pages are sent to. */
export interface PageTarget {
  readonly url: string
  /** Sealed, bound to the organization and the url. */
  readonly secret: string
  readonly pageSize: number
}

/** How products are handed to a remote extension. */
export interface RemoteTarget {
  /** Values for this run as JSON, sealed: a password may be among them. */
  readonly fields: string
  /** Of the extension that they are for. */
  readonly origin?: string | null
  readonly pageSize: number
}

/** An export to a file. */
export interface FileDestination {
  /** One of FILE_TYPES that has a writer. */
  readonly format: string
  readonly file: FileTarget
  /** Of the format's writer. */
  readonly settings?: unknown
  /** The same in tasks that were queued before formats had settings of their own. */
  readonly csv?: unknown
}

/** Where an export goes, and how it is written. */
type Destination =
  | FileDestination
  | { readonly format: 'http'; readonly pages: PageTarget }
  | { readonly format: 'remote'; readonly remote: RemoteTarget }

/** What writes the file of an export, and how. */
export const writerOf = ({ format, settings, csv }: FileDestination) => ({
  writer: formatOf(format)!.writer! as FileWriter,
  settings: settings ?? csv ?? null,
})

/** The exported products: by id, or those of a catalog, optionally limited by a search. */
export interface ExportSelection {
  readonly products: readonly { readonly catalog: string; readonly id: string }[] | null
  readonly catalog: string
  readonly search: SearchRequest | null
}

/** The input of an export's task. */
export interface ExportJob {
  /** The installation that runs, for its log and for the type of links. */
  readonly installed: { readonly id: string; readonly name: string }
  readonly selection: ExportSelection
  readonly to: Destination
}

/** Where an export resumes after an interruption. */
export interface ExportCheckpoint {
  /** Products that the export will meet, counted at its beginning. */
  readonly total: number
  readonly mode: Mode
  /** Of a file with columns, decided at its beginning. */
  readonly headings: readonly string[]
  /** The number of processed products, and the id of the last one in a catalog. */
  readonly exported: number
  readonly after: string | null
  readonly done: boolean
  /** Files that hold what is written so far, and their bytes. */
  readonly parts: readonly string[]
  readonly bytes: number
  /** Pages that were sent. */
  readonly pages: number
  /** Links that were stored. */
  readonly linked: number
}

/** The checkpoint of an export that begins. */
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
