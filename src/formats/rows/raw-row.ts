/** The position of a row in its file, and its text, which suffice to parse it again. */
export interface RowText {
  /** Line of the file where it begins, from 1. */
  readonly line: number
  readonly text: string
}

/** A row as found by a reader; one with a `problem` could not be read. */
export interface RawRow extends RowText {
  readonly problem?: string
  /** Line of a broken row before it, which may have a cell that contains this row. */
  readonly after?: number
  /** Bytes of its text, if known without decoding it. */
  readonly size?: number
}

/** A piece of a file, and the range of a row in it. */
export interface Piece {
  readonly bytes: Buffer
  readonly from: number
  readonly to: number
}

/** A row in UTF-8 that is decoded on demand, since thousands wait to be written. */
export class PieceRow implements RawRow {
  readonly line: number
  readonly after?: number
  readonly #bytes: Buffer
  readonly #from: number
  readonly #to: number

  constructor(line: number, { bytes, from, to }: Piece, after?: number) {
    this.line = line
    if (after !== undefined) this.after = after
    this.#bytes = bytes
    this.#from = from
    this.#to = to
  }

  get text(): string {
    return this.#bytes.toString('utf8', this.#from, this.#to)
  }

  get size(): number {
    return this.#to - this.#from
  }
}

const SHOWN = 1_000

/** The beginning of the first line of a broken row, for display. */
export const firstLineExcerpt = (bytes: Buffer): string =>
  bytes.toString('utf8', 0, SHOWN).split(/[\r\n]/, 1)[0]!

/** Rows and characters that are written together. */
const BATCH = { rows: 500, length: 1024 * 1024 }

/** Batches that end at `rows` rows or `length` characters, whichever comes first. */
export async function* inBatches(
  chunks: AsyncIterable<readonly RawRow[]>,
  limit: { readonly rows: number; readonly length: number } = BATCH,
): AsyncGenerator<RawRow[]> {
  let batch: RawRow[] = []
  let length = 0
  for await (const chunk of chunks) {
    for (const row of chunk) {
      batch.push(row)
      length += row.size ?? row.text.length
      if (batch.length < limit.rows && length < limit.length) continue
      yield batch
      batch = []
      length = 0
    }
  }
  if (batch.length > 0) yield batch
}

/** Reads the first batch, and the others after a look at all rows if necessary. */
export function batchesOf(rows: () => AsyncIterable<readonly RawRow[]>) {
  let batches = inBatches(rows())
  return {
    first: async (): Promise<readonly RawRow[]> => (await batches.next()).value ?? [],
    /** All rows, which are then read again from the beginning. */
    async *look(): AsyncGenerator<readonly RawRow[]> {
      await batches.return(undefined)
      try {
        yield* rows()
      } finally {
        batches = inBatches(rows())
        await batches.next()
      }
    },
    /** The batches after the first one. */
    rest: () => batches,
  }
}
