/** Where a row is in its file, and its text: enough to read it again. */
export interface RowText {
  /** Line of the file where it begins, from 1. */
  readonly line: number
  readonly text: string
}

/** A row as a reader found it; with `problem` it could not be read. */
export interface RawRow extends RowText {
  readonly problem?: string
  /** Line of a broken row before it: this one may be the inside of that one's cell. */
  readonly after?: number
}

const SHOWN = 1_000

/** The beginning of the first line of a row that cannot be shown as it was. */
export const beginning = (bytes: Buffer): string =>
  bytes.toString('utf8', 0, SHOWN).split(/[\r\n]/, 1)[0]!

/** Rows in batches of at most `rows` or `length` characters, whichever comes first; one at least. */
export async function* inBatches(
  chunks: AsyncIterable<readonly RawRow[]>,
  limit: { readonly rows: number; readonly length: number },
): AsyncGenerator<RawRow[]> {
  let batch: RawRow[] = []
  let length = 0
  for await (const chunk of chunks) {
    for (const row of chunk) {
      batch.push(row)
      length += row.text.length
      if (batch.length < limit.rows && length < limit.length) continue
      yield batch
      batch = []
      length = 0
    }
  }
  if (batch.length > 0) yield batch
}
