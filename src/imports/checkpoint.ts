import type { ListedProductsState } from './full-file/listed-products.ts'
import { noRejects, type RejectsState } from './rejects.ts'
import type { KeptFile } from './remote-file.ts'
import type { ImportInput } from './settings.ts'
import type { Naming } from './writing/resolver.ts'

/** Where an import resumes after an interruption. */
export interface ImportCheckpoint {
  /** The settings that an installed extension answered. Like `file`, known before any row is read. */
  readonly settings?: ImportInput
  /** The local copy of the file. */
  readonly file?: KeptFile
  /** Processed rows of the file, from its beginning. */
  readonly rows: number
  /** The catalog was empty when the import began. */
  readonly empty: boolean
  readonly naming: Naming
  readonly rejects: RejectsState
  /** Of a full file: the products that it lists with an offer of its vendor. */
  readonly listed?: ListedProductsState
  /** Rejected rows that name no product. */
  readonly unknown?: number
  /** All rows are processed; only the removal of offers remains. */
  readonly read?: boolean
  /** Offers in the question that was asked. */
  readonly asked?: number
  /** Offers that are to be removed. */
  readonly planned?: number
  readonly notes?: readonly string[]
  /** Values of each column in those rows. */
  readonly columnValues?: readonly number[]
}

export const initialImportCheckpoint = (empty: boolean): ImportCheckpoint => ({
  rows: 0,
  empty,
  naming: null,
  rejects: noRejects(),
})
