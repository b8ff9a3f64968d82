import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createCsvParser, type Dialect, runsOn } from './csv-parser.ts'
import { countLines, leadingLineEnds, lineEnd } from './lines.ts'
import { beginning, type RawRow } from './raw-row.ts'

const BROKEN_ROWS = 100
const NOTHING = Buffer.alloc(0)
const OPEN_QUOTE = 'a quote is opened and not closed'
const TOO_LARGE = `a row of more than ${limits.importRowBytes} bytes, or an open quote`

/**
 * Rows of a quoted file in UTF-8. A row that is too large, or whose quote is never closed, is
 * reported as a problem and reading goes on with the line after it. Throws Invalid past 100 such.
 */
export async function* csvRows(
  chunks: AsyncIterable<Buffer>,
  dialect: Dialect,
): AsyncGenerator<readonly RawRow[]> {
  const reader = createReader(dialect)
  for await (const chunk of chunks) {
    await reader.write(chunk)
    yield reader.take()
  }
  await reader.end()
  yield reader.take()
}

function createReader(dialect: Dialect) {
  let parser = createCsvParser(dialect)
  /** Input since the last complete record, where it begins in the parser's input, and its line. */
  let open: Buffer = NOTHING
  let openAt = 0
  let line = 1
  /** Inside a line that is too large: everything up to its end is passed over. */
  let skipping = false
  let brokenLine: number | undefined
  let broken = 0
  let width: number | undefined
  let rows: RawRow[] = []

  /** Adds what the parser has read; false at a record that runs on. */
  function addRecords(): boolean {
    for (const { cells, end } of parser.take()) {
      const bytes = open.subarray(0, end - openAt)
      if (runsOn(cells, bytes, dialect)) return false
      const blank = leadingLineEnds(bytes)
      const begins = line + countLines(bytes.subarray(0, blank))
      line = begins + countLines(bytes.subarray(blank))
      open = open.subarray(end - openAt)
      openAt = end
      if (cells.every((cell) => cell.trim() === '')) continue
      width ??= cells.length
      const problem = problemOf(cells, width, brokenLine)
      const row = { line: begins, cells, bytes: bytes.subarray(blank) }
      rows.push(problem === undefined ? row : { ...row, problem })
    }
    return true
  }

  /** Reports the open record and answers what follows its first line. */
  function passOver(problem: string): Buffer {
    const blank = leadingLineEnds(open)
    line += countLines(open.subarray(0, blank))
    const record = open.subarray(blank)
    if (width === undefined) throw new Invalid(`Line ${line}, the first row: ${problem}.`)
    if (++broken > BROKEN_ROWS) {
      throw new Invalid(`Line ${line}: ${problem}. More than ${BROKEN_ROWS} rows are like this.`)
    }
    rows.push({ line, bytes: beginning(record), problem })
    brokenLine = line
    parser = createCsvParser(dialect)
    open = NOTHING
    openAt = 0
    return afterLine(record)
  }

  function afterLine(bytes: Buffer): Buffer {
    const end = lineEnd(bytes)
    skipping = end === -1
    if (skipping) return NOTHING
    line++
    return bytes.subarray(end)
  }

  async function write(chunk: Buffer): Promise<void> {
    let input = skipping ? afterLine(chunk) : chunk
    while (input.length > 0) {
      open = open.length === 0 ? input : Buffer.concat([open, input])
      const error = await parser.write(input)
      if (!addRecords()) input = passOver(OPEN_QUOTE)
      else if (error) input = passOver(TOO_LARGE)
      else return
    }
  }

  return {
    write,
    async end() {
      for (;;) {
        const error = await parser.end()
        if (addRecords() && !error) return
        const rest = passOver(OPEN_QUOTE)
        skipping = false
        await write(rest)
      }
    },
    take(): readonly RawRow[] {
      const taken = rows
      rows = []
      return taken
    },
  }
}

/** Missing cells are empty; additional ones with something in them are refused. */
function problemOf(
  cells: readonly string[],
  width: number,
  brokenLine: number | undefined,
): string | undefined {
  if (cells.length > limits.importColumns) return `more than ${limits.importColumns} cells`
  if (cells.length > width && cells.slice(width).some((cell) => cell.trim() !== '')) {
    return `${cells.length} cells, the first row has ${width}`
  }
  // What follows a broken row may be the inside of a cell: only whole rows are believed.
  if (brokenLine !== undefined && cells.length !== width) {
    return `${cells.length} cells instead of ${width}, after the broken row in line ${brokenLine}`
  }
  return undefined
}
