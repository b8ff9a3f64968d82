import type { ListedProductsState } from './full-file/listed-products.ts'
import { noRejects, type RejectsState } from './rejects.ts'
import type { KeptFile } from './remote-file.ts'
import type { Naming } from './writing/resolver.ts'

/** Where an import goes on after an interruption. */
export interface ImportCheckpoint {
  /** Our copy of the file; the first thing that is known, and for a while the only one. */
  readonly file?: KeptFile
  /** Rows of the file that are dealt with, from its beginning. */
  readonly rows: number
  /** The catalog was empty when the import began. */
  readonly empty: boolean
  readonly naming: Naming
  readonly rejects: RejectsState
  /** Of a full file: the products that it lists with an offer of its vendor. */
  readonly listed?: ListedProductsState
  /** Rejected rows that name no product. */
  readonly unknown?: number
  /** All rows are dealt with, and what remains is to remove offers. */
  readonly read?: boolean
  /** Offers that somebody was asked about. */
  readonly asked?: number
  /** Offers that are to be removed. */
  readonly planned?: number
  /** What the user should know about how the file was read. */
  readonly notes?: readonly string[]
}

export const initialImportCheckpoint = (empty: boolean): ImportCheckpoint => ({
  rows: 0,
  empty,
  naming: null,
  rejects: noRejects(),
})
