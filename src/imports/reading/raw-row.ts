/** Where a row is in its file, and its bytes: enough to read it again. */
export interface RowBytes {
  /** Line of the file where it begins, from 1. */
  readonly line: number
  readonly bytes: Buffer
}

/** A row as a reader found it; with `problem` it could not be read. */
export interface RawRow extends RowBytes {
  readonly problem?: string
  /** Line of a broken row before it: this one may be the inside of that one's cell. */
  readonly after?: number
}

const SHOWN = 1_000

/** The beginning of the first line of a row that cannot be shown as it was. */
export function beginning(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, SHOWN)
  const end = start.findIndex((byte) => byte === 10 || byte === 13)
  // A copy, so that the rest is not kept.
  return Buffer.from(end === -1 ? start : start.subarray(0, end))
}

/** Rows in batches of at most `rows` or `bytes`, whichever is reached first; one row at least. */
export async function* inBatches(
  chunks: AsyncIterable<readonly RawRow[]>,
  limit: { readonly rows: number; readonly bytes: number },
): AsyncGenerator<RawRow[]> {
  let batch: RawRow[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    for (const row of chunk) {
      batch.push(row)
      bytes += row.bytes.length
      if (batch.length < limit.rows && bytes < limit.bytes) continue
      yield batch
      batch = []
      bytes = 0
    }
  }
  if (batch.length > 0) yield batch
}
