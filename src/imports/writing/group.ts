import type { RawRow } from '../reading/raw-row.ts'
import type { RowChange } from '../rows/change.ts'

/** The rows of one product within a batch, in the order of the file. */
export class Group {
  readonly id: string
  readonly rows: RawRow[] = []
  /** Which rows of the file they are, from 1. */
  readonly numbers: number[] = []
  readonly #read: (row: RawRow) => RowChange
  #fresh: RowChange[] | undefined = []

  constructor(id: string, read: (row: RawRow) => RowChange) {
    this.id = id
    this.#read = read
  }

  add(row: RawRow, change: RowChange, number: number): void {
    this.rows.push(row)
    this.numbers.push(number)
    this.#fresh?.push(change)
  }

  /** What the rows want. Given away once and then read again: what waits is the rows alone. */
  changes(): readonly RowChange[] {
    const changes = this.#fresh ?? this.rows.map(this.#read)
    this.#fresh = undefined
    return changes
  }
}
