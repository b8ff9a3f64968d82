import type { RawRow } from '../../formats/rows/raw-row.ts'
import type { RowChange } from '../../formats/rows/row-change.ts'

/** A parsed row, and its number in the file, from 1. */
export interface ReadRow {
  readonly row: RawRow
  readonly change: RowChange
  readonly number: number
}

/** The rows of one product within a batch, in the order of the file. */
export class ProductRows {
  readonly id: string
  readonly rows: RawRow[]
  /** Row numbers in the file, from 1. */
  readonly numbers: number[]
  readonly #read: (row: RawRow) => RowChange
  #fresh: RowChange[] | undefined

  constructor(id: string, read: (row: RawRow) => RowChange, first: ReadRow) {
    this.id = id
    this.#read = read
    // Array literals, since arrays that grow take ten times the memory and nearly all of the
    // thousands of waiting products have one row.
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

  /** The changes by the rows, kept for the next call of `changes`. */
  peek(): readonly RowChange[] {
    this.#fresh ??= this.rows.map(this.#read)
    return this.#fresh
  }

  /**
   * The changes by the rows. They are not kept but parsed again, to save memory while rows wait.
   */
  changes(): readonly RowChange[] {
    const changes = this.#fresh ?? this.rows.map(this.#read)
    this.#fresh = undefined
    return changes
  }
}
