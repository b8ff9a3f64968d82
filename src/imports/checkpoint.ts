import type { ListedProductsState } from './full-file/listed-products.ts'
import { noRejects, type RejectsState } from './rejects.ts'
import type { KeptFile } from './remote-file.ts'
import type { ImportInput } from './settings.ts'
import type { Naming } from './writing/resolver.ts'

/** Where an import resumes after an interruption. */
export interface ImportCheckpoint {
  /** The settings returned by an installed extension. Like `file`, known before any row is read. */
  readonly settings?: ImportInput
  /** The local copy of the file. */
  readonly file?: KeptFile
  /** Processed rows of the file, from its beginning. */
  readonly rows: number
  /** The way in which rows of the file are assembled, by which `rows` counts. */
  readonly reading?: string
  /** Whether the catalog was empty when the import began. */
  readonly empty: boolean
  readonly naming: Naming
  readonly rejects: RejectsState
  /** Products listed by a full file with an offer of its vendor. */
  readonly listed?: ListedProductsState
  /** Rejected rows whose product is not known. */
  readonly unknown?: number
  /** Whether all rows are processed, so that only the removal of offers remains. */
  readonly read?: boolean
  /** Number of offers in the last question to the user, and what tells them from others. */
  readonly asked?: number
  readonly askedPrint?: string
  /** Number of offers to remove. */
  readonly planned?: number
  /** Number of products that rows deleted, before the removal of offers deletes others. */
  readonly deletedByRows?: number
  readonly notes?: readonly string[]
  /** Number of values of each column in the processed rows. */
  readonly columnValues?: readonly number[]
  /** Number of processed rows with a stock below 0. */
  readonly belowZero?: number
}

/**
 * Whether an import can resume. Otherwise rows are assembled differently now, so the number of
 * processed rows no longer applies.
 */
export const canResume = (
  begun: Partial<ImportCheckpoint> | null,
  reading: string | undefined,
): begun is ImportCheckpoint => begun?.rows !== undefined && begun.reading === reading

/** The checkpoint of an import that reads its file from the beginning, perhaps again. */
export const startingCheckpoint = (
  begun: Partial<ImportCheckpoint> | null,
  { empty, file, reading }: { empty: boolean; file: KeptFile; reading: string | undefined },
): ImportCheckpoint => ({
  rows: 0,
  empty,
  naming: null,
  rejects: noRejects(),
  file,
  ...(begun?.settings ? { settings: begun.settings } : {}),
  ...(reading ? { reading } : {}),
})
