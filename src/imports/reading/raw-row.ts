import type { Original } from '../rows/change.ts'

/** A row as a reader found it; with `problem` it could not be read. */
export interface RawRow {
  /** Line of the file where it begins, from 1. */
  readonly line: number
  readonly original: Original
  readonly bytes: number
  readonly problem?: string
}

const SHOWN = 1_000

/** The beginning of a row that cannot be shown as it was. */
export const beginning = (bytes: Buffer): string =>
  bytes.toString('utf8', 0, SHOWN).split(/\r|\n/, 1)[0]!

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
      bytes += row.bytes
      if (batch.length < limit.rows && bytes < limit.bytes) continue
      yield batch
      batch = []
      bytes = 0
    }
  }
  if (batch.length > 0) yield batch
}
