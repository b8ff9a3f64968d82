import type { RawRow } from '../../formats/rows/raw-row.ts'
import type { RowChange } from '../../formats/rows/row-change.ts'

/** A row that was read, and which row of the file it is, from 1. */
export interface ReadRow {
  readonly row: RawRow
  readonly change: RowChange
  readonly number: number
}

/** The rows of one product within a batch, in the order of the file. */
export class ProductRows {
  readonly id: string
  readonly rows: RawRow[]
  /** Which rows of the file they are, from 1. */
  readonly numbers: number[]
  readonly #read: (row: RawRow) => RowChange
  #fresh: RowChange[] | undefined

  constructor(id: string, read: (row: RawRow) => RowChange, first: ReadRow) {
    this.id = id
    this.#read = read
    // Thousands wait to be written, nearly all of one row: what grows takes ten times the memory.
    this.rows = [first.row]
    this.numbers = [first.number]
    this.#fresh = [first.change]
  }

  get size(): number {
    return this.rows.length
  }

  add({ row, change, number }: ReadRow): void {
    this.rows.push(row)
    this.numbers.push(number)
    this.#fresh?.push(change)
  }

  /** What the rows want, which stays to be given away. */
  peek(): readonly RowChange[] {
    this.#fresh ??= this.rows.map(this.#read)
    return this.#fresh
  }

  /** What the rows want. Given away once and then read again: what waits is the rows alone. */
  changes(): readonly RowChange[] {
    const changes = this.#fresh ?? this.rows.map(this.#read)
    this.#fresh = undefined
    return changes
  }
}
