import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { firstLineExcerpt, type Piece, PieceRow, type RawRow } from '../rows/raw-row.ts'
import { cellsIn, type Dialect } from './cells.ts'
import { createRecordFinder } from './records.ts'

const LF = 10
const CR = 13
const BROKEN_ROWS = 100
const NOTHING = Buffer.alloc(0)
const OPEN_QUOTE = 'a quote is not closed'
const TOO_LARGE = `the row is larger than ${limits.importRowBytes} bytes, or a quote is not closed`

/**
 * Rows of a quoted file in UTF-8. A row that is too large, or whose quote is never closed, is
 * reported as a problem, and reading resumes with the next line. Throws Invalid after 100 such
 * rows.
 */
export async function* csvRows(
  chunks: AsyncIterable<Buffer>,
  dialect: Dialect,
  firstLine = 1,
): AsyncGenerator<readonly RawRow[]> {
  const reader = createReader(dialect, firstLine)
  for await (const chunk of chunks) yield reader.read(chunk, false)
  yield reader.read(NOTHING, true)
}

function createReader(dialect: Dialect, firstLine: number) {
  const isBlank = blankOf(dialect)
  /** Bytes of an incomplete record, and the line where it begins. */
  let open: Buffer = NOTHING
  let line = firstLine
  /** Whether the rest of an oversized line is being skipped. */
  let skipping = false
  let brokenLine: number | undefined
  let broken = 0
  /** Whether the first row was found. */
  let begun = false

  function rowOf(piece: Piece): RawRow | undefined {
    if (isBlank(piece)) return undefined
    begun = true
    return new PieceRow(line, piece, brokenLine)
  }

  function brokenRow(record: Buffer, problem: string): RawRow {
    if (!begun) throw new Invalid(`Line ${line}, the first row: ${problem}.`)
    if (++broken > BROKEN_ROWS) {
      throw new Invalid(
        `Line ${line}: ${problem}. More than ${BROKEN_ROWS} rows have this problem.`,
      )
    }
    brokenLine = line
    return { line, text: firstLineExcerpt(record), problem }
  }

  /** The bytes after the first line. If that does not end here, its rest is skipped. */
  function afterLine(bytes: Buffer): Buffer {
    const end = lineEnd(bytes)
    skipping = end === -1
    if (!skipping) line++
    return skipping ? NOTHING : bytes.subarray(end)
  }

  function readRecords(bytes: Buffer, last: boolean, rows: RawRow[]): Buffer {
    const endOf = createRecordFinder(bytes, last, dialect)
    let at = 0
    while (at < bytes.length) {
      const boundary = endOf(at)
      if (boundary === 'incomplete' || boundary === 'open') {
        const rest = bytes.subarray(at)
        if (boundary === 'incomplete' && rest.length <= limits.importRowBytes) return rest
        rows.push(brokenRow(rest, boundary === 'open' ? OPEN_QUOTE : TOO_LARGE))
        return readRecords(afterLine(rest), last, rows)
      }
      const { end } = boundary
      const row =
        end - at > limits.importRowBytes
          ? brokenRow(bytes.subarray(at, end), TOO_LARGE)
          : rowOf({ bytes, from: at, to: end })
      if (row) rows.push(row)
      line += boundary.hasLines ? countLines(bytes.subarray(at, boundary.next)) : 1
      at = boundary.next
    }
    return NOTHING
  }

  function readPiece(piece: Buffer, last: boolean, rows: RawRow[]): void {
    const fresh = skipping ? afterLine(piece) : piece
    open = readRecords(open.length === 0 ? fresh : Buffer.concat([open, fresh]), last, rows)
  }

  return {
    read(chunk: Buffer, last: boolean): readonly RawRow[] {
      const rows: RawRow[] = []
      let at = 0
      do {
        // Copies only the row that began before this chunk. The others are read in place.
        const end = open.length === 0 ? -1 : lineEnd(chunk.subarray(at + open.length))
        const next = end === -1 ? chunk.length : at + open.length + end
        readPiece(chunk.subarray(at, next), last, rows)
        at = next
      } while (at < chunk.length)
      return rows
    },
  }
}

/** Whether a row has only empty cells. For nearly every row, the first other byte decides. */
const blankOf = (dialect: Dialect) => {
  const blank = new Set(Buffer.from(` \t\r\n${dialect.delimiter}${dialect.quote}`))
  return ({ bytes, from, to }: Piece): boolean => {
    for (let at = from; at < to; at++) if (!blank.has(bytes[at]!)) return false
    return cellsIn(bytes.toString('utf8', from, to), dialect).every((cell) => cell.trim() === '')
  }
}

/** Whether the byte at `at` ends a line. In CR LF, only the LF does. */
const endsLine = (bytes: Buffer, at: number): boolean =>
  bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)

/** Number of lines that end within these bytes. CR LF, LF and CR each end one. */
function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines++
  for (let at = bytes.indexOf(CR); at !== -1; at = bytes.indexOf(CR, at + 1)) {
    if (endsLine(bytes, at)) lines++
  }
  return lines
}

/** The position after the end of the first line; -1 if it does not end. */
function lineEnd(bytes: Buffer): number {
  const cr = bytes.indexOf(CR)
  // With CR alone, a search for LF would read all bytes for each line.
  const lf = (cr === -1 ? bytes : bytes.subarray(0, cr)).indexOf(LF)
  if (lf !== -1) return lf + 1
  if (cr === -1) return -1
  if (cr + 1 === bytes.length) return -1
  return bytes[cr + 1] === LF ? cr + 2 : cr + 1
}
