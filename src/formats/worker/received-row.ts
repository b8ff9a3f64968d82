import type { RowChange } from '../rows/row-change.ts'
import type { FileRow, SentRow } from './messages.ts'

/** The row that was sent. */
export const receivedRow = (sent: SentRow): FileRow => new ReceivedRow(sent)

/** Parsed on demand, since objects of thousands of rows that wait would burden the heap. */
class ReceivedRow implements FileRow {
  readonly #sent: SentRow

  constructor(sent: SentRow) {
    this.#sent = sent
  }

  get line(): number {
    return this.#sent.line
  }

  get length(): number {
    return this.#sent.length
  }

  get read(): RowChange | string | undefined {
    const { change, problem } = this.#sent
    return change === undefined ? problem : (JSON.parse(change) as RowChange)
  }

  get cells(): readonly string[] {
    return JSON.parse(this.#sent.cells ?? '[]') as string[]
  }
}
