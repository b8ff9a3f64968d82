import type { BulkBody } from '../../elastic/bulk-body.ts'
import type { Stored } from '../../elastic/collection.ts'
import type { NewPoint } from '../../products/insights/points.ts'
import type { ProductDocument } from '../../products/product.ts'
import type { RowText } from '../reading/raw-row.ts'
import type { RowChange } from '../rows/change.ts'

/** The rows of one product, in the order of the file. */
export interface Group {
  readonly id: string
  readonly rows: readonly RowText[]
  /** Which rows of the file they are, from 1. */
  readonly numbers: readonly number[]
  /** What the rows want. Given away once and then read again: a batch in flight keeps text only. */
  changes(): readonly RowChange[]
}

/** A group of one batch. */
export interface OpenGroup extends Group {
  add(row: RowText, change: RowChange, number: number): void
}

export function createGroup(id: string, read: (row: RowText) => RowChange): OpenGroup {
  const rows: RowText[] = []
  const numbers: number[] = []
  let fresh: RowChange[] | undefined = []
  return {
    id,
    rows,
    numbers,
    add({ line, text }, change, number) {
      rows.push({ line, text })
      numbers.push(number)
      fresh?.push(change)
    },
    changes() {
      const changes = fresh ?? rows.map(read)
      fresh = undefined
      return changes
    },
  }
}

/** Which stored version a write replaces. */
export type Version = Pick<Stored<unknown>, 'seqNo' | 'primaryTerm'>

/** A product that is to be stored; its line is in the body of the batch. */
export interface Draft {
  readonly group: Group
  /** Only where it has log entries to move: most documents need not be kept for that. */
  readonly logged: ProductDocument | undefined
}

/** Drafts in the order of their lines. */
export interface DraftBatch {
  readonly drafts: Draft[]
  readonly body: BulkBody
  /** What is told of their offers first. */
  readonly points: NewPoint[]
}

/** A stored draft with log entries, and as which version it was stored. */
export interface LoggedWrite extends Version {
  readonly id: string
  readonly document: ProductDocument
}
