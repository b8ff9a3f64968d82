import { limits } from '../../limits.ts'
import { firstLineExcerpt, PieceRow, type RawRow } from '../rows/raw-row.ts'

const LF = 10
const NOTHING = Buffer.alloc(0)

/** Lines of a jsonl file in UTF-8, without blank ones. One that is too large is a problem row. */
export async function* jsonlRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly RawRow[]> {
  let open: Buffer = NOTHING
  /** The beginning of an oversized line that is being skipped. */
  let skipped: string | undefined
  let line = 1
  for await (const chunk of chunks) {
    const rows: RawRow[] = []
    let from = 0
    for (let to = chunk.indexOf(LF); to !== -1; to = chunk.indexOf(LF, from)) {
      // Only the first line of a piece may have begun in the previous one.
      const row =
        open.length === 0 && skipped === undefined
          ? rowOf(chunk, from, to, line)
          : wholeRow(Buffer.concat([open, chunk.subarray(from, to)]), line, skipped)
      line++
      if (row) rows.push(row)
      from = to + 1
      open = NOTHING
      skipped = undefined
    }
    const rest = chunk.subarray(from)
    open = open.length === 0 ? rest : Buffer.concat([open, rest])
    if (open.length > limits.importRowBytes) {
      skipped ??= firstLineExcerpt(open)
      open = NOTHING
    }
    yield rows
  }
  const last = wholeRow(open, line, skipped)
  yield last ? [last] : []
}

const wholeRow = (bytes: Buffer, line: number, skipped: string | undefined) =>
  skipped === undefined ? rowOf(bytes, 0, bytes.length, line) : tooLarge(line, skipped)

function rowOf(bytes: Buffer, from: number, to: number, line: number): RawRow | undefined {
  if (to - from > limits.importRowBytes)
    return tooLarge(line, firstLineExcerpt(bytes.subarray(from, to)))
  return isBlank(bytes, from, to) ? undefined : new PieceRow(line, { bytes, from, to })
}

const tooLarge = (line: number, text: string): RawRow => ({
  line,
  text,
  problem: `the line is larger than ${limits.importRowBytes} bytes`,
})

/** Whether there is nothing but spaces, tabs and carriage returns. */
function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}
