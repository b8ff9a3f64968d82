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
  /** How rows of the file are put together: `rows` counts them so. */
  readonly reading?: string
  /** The catalog was empty when the import began. */
  readonly empty: boolean
  readonly naming: Naming
  readonly rejects: RejectsState
  /** Of a full file: the products that it lists with an offer of its vendor. */
  readonly listed?: ListedProductsState
  /** Rejected rows whose product is not known. */
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
  /** Of those rows: whose stock was below 0. */
  readonly belowZero?: number
}

const initialImportCheckpoint = (empty: boolean): ImportCheckpoint => ({
  rows: 0,
  empty,
  naming: null,
  rejects: noRejects(),
})

/** How an import begins that may have begun before. */
interface Beginning {
  /** The catalog is empty. */
  readonly empty: boolean
  readonly file: KeptFile
  readonly reading: string | undefined
}

/**
 * Whether an import goes on where it was: only where rows are still put together as they were, since
 * else those that were counted are others.
 */
export const goesOn = (
  begun: Partial<ImportCheckpoint> | null,
  reading: string | undefined,
): begun is ImportCheckpoint => begun?.rows !== undefined && begun.reading === reading

/** The checkpoint of an import that reads its file from the beginning, anew or not. */
export const beginningOf = (
  begun: Partial<ImportCheckpoint> | null,
  { empty, file, reading }: Beginning,
): ImportCheckpoint => ({
  ...initialImportCheckpoint(empty),
  file,
  ...(begun?.settings ? { settings: begun.settings } : {}),
  ...(reading ? { reading } : {}),
})
