import { noRejects, type RejectsState } from './rejects.ts'
import type { Naming } from './writing/resolver.ts'

/** Where an import goes on after an interruption. */
export interface Checkpoint {
  /** Rows of the file that are dealt with, from its beginning. */
  readonly rows: number
  /** The catalog was empty when the import began. */
  readonly empty: boolean
  readonly naming: Naming
  readonly rejects: RejectsState
}

export const beginning = (empty: boolean): Checkpoint => ({
  rows: 0,
  empty,
  naming: null,
  rejects: noRejects,
})
