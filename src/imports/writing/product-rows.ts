import type { RowChange } from '../../formats/rows/row-change.ts'

/** A row that was read. */
export interface ReadRow {
  /** Line of the file where it begins, from 1. */
  readonly line: number
  /** Its number in the file, from 1. */
  readonly number: number
  /** Characters of its text, or its bytes in UTF-8. */
  readonly length: number
  /** May be read anew each time. */
  readonly change: RowChange
}

/** The rows of one product within a batch, in the order of the file. */
export class ProductRows {
  readonly id: string
  readonly rows: ReadRow[]

  constructor(id: string, first: ReadRow) {
    this.id = id
    // An array literal, since arrays that grow take ten times the memory and nearly all of the
    // thousands of waiting products have one row.
    this.rows = [first]
  }

  get size(): number {
    return this.rows.length
  }

  changes(): readonly RowChange[] {
    return this.rows.map(({ change }) => change)
  }
}
