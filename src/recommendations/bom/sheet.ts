import { Invalid } from '../../errors.ts'
import { cellsIn, type Dialect } from '../../formats/csv/cells.ts'
import type { RawRow } from '../../formats/rows/raw-row.ts'
import { createEncodingJudge } from '../../formats/text/encoding.ts'
import { limits } from '../../limits.ts'
import type { Steps } from '../../platform/steps.ts'
import { detachedText, fold } from '../../text.ts'
import { headerRoles } from './columns.ts'
import { withoutGrouping } from './quantity.ts'

/** One line of a list: its number from 1, and its cells. A text without columns is one cell. */
export interface SheetRow {
  readonly line: number
  readonly cells: readonly string[]
}

const PIECE = 64 * 1024

/** Decodes a file of any encoding, piece by piece. Throws Invalid for UTF-32. */
export function* decodeText(bytes: Buffer): Steps<string> {
  const judge = createEncodingJudge()
  for (let at = 0; at < bytes.length; at += PIECE) {
    judge.see(bytes.subarray(at, at + PIECE))
    yield
  }
  const encoding = judge.verdict()
  const decoder = new TextDecoder(encoding === 'utf-8-damaged' ? 'utf-8' : encoding)
  const texts: string[] = []
  for (let at = 0; at < bytes.length; at += PIECE) {
    texts.push(decoder.decode(bytes.subarray(at, at + PIECE), { stream: true }))
    yield
  }
  return texts.join('') + decoder.decode()
}

/** The text as UTF-8, in pieces. */
export async function* utf8Of(text: string): AsyncGenerator<Buffer> {
  for (let from = 0; from < text.length; ) {
    const end = from + PIECE
    // Both halves of a character stay together.
    const to = text.codePointAt(end - 1)! > 0xffff ? end + 1 : end
    yield Buffer.from(text.slice(from, to))
    from = to
  }
}

const DELIMITERS = ['\t', ';', '|', ','] as const
const SAMPLE = 200
/** Minimum share of lines with the same number of cells, more than one. */
const MIN_SHARE = 0.8
export const QUOTE = '"'
/** Maximum number of characters of a line that are read, and of cells. */
const MAX_LINE = 20_000
const MAX_CELLS = 50

/** The delimiter of a list; undefined for plain text. */
export function* delimiterOf(text: string): Steps<string | undefined> {
  const lines = text
    .split(/\r\n?|\n/, SAMPLE)
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(0, MAX_LINE))
  for (const delimiter of DELIMITERS) {
    const dialect = { delimiter, quote: QUOTE }
    const widths: number[] = []
    // Below headings, `DS 18,100 pcs` has two cells; without them, it asks for 18,100 pieces.
    let mayBeText = delimiter === ','
    for (const line of lines) {
      const cells = cellsIn(line, dialect)
      widths.push(cells.length)
      if (mayBeText && cells.length > 1) mayBeText = !headerRoles(cells.slice(0, MAX_CELLS))
      yield
    }
    if (mayBeText) {
      for (const [at, line] of lines.entries()) {
        widths[at] = cellsIn(withoutGrouping(line), dialect).length
        yield
      }
    }
    const divided = widths.filter((width) => width > 1)
    const alike = [...Map.groupBy(divided, (width) => width).values()]
    const commonest = Math.max(0, ...alike.map(({ length }) => length))
    if (divided.length > 0 && commonest >= MIN_SHARE * lines.length) return delimiter
  }
  return undefined
}

/** Separates the columns of text that was laid out with spaces. */
const WIDE_GAP = / {3,}|\t/
/** A tab before the first word is an empty cell. */
const withIndent = (line: string): string => line.trimEnd().replace(/^ +/, '')

/** The rows of a text without columns. */
export function* textRows(lines: readonly string[]): Generator<SheetRow> {
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue
    yield { line: at + 1, cells: withIndent(line).slice(0, MAX_LINE).split(WIDE_GAP) }
  }
}

/** The rows of a text with columns. */
export function* dividedRows(batch: readonly RawRow[], dialect: Dialect): Generator<SheetRow> {
  for (const { line, text } of batch) yield { line, cells: cellsIn(text, dialect) }
}

/** Adds rows as they are read, with other work in between. */
export function* addRows(rows: SheetRow[], more: Iterable<SheetRow>): Steps<void> {
  for (const row of more) {
    addRow(rows, row)
    yield
  }
}

export const tooManyLines = (): Invalid =>
  new Invalid(`The list has more than ${limits.recommendationLines} lines. Send it in parts.`)

/** Twice the limit, since a letterhead, repeated headings and sums are not lines. */
const ROWS = 2 * limits.recommendationLines

/** Adds a row. Throws Invalid when there are too many, of whatever kind. */
export function addRow(rows: SheetRow[], { line, cells }: SheetRow): void {
  if (rows.length === ROWS) throw tooManyLines()
  rows.push({ line, cells: cells.slice(0, MAX_CELLS).map(cut) })
}

/**
 * Maximum number of characters to which one character is folded, as for ﷺ, which is three words.
 */
const LONGEST_FORM = 18

/** Limits the length of a cell, also after folding. */
function cut(cell: string): string {
  const { valueLength } = limits
  // A slice would keep the whole cell in memory.
  const text = cell.length > valueLength ? detachedText(cell.slice(0, valueLength)) : cell
  const isShort = fold(text).length <= 2 * valueLength
  return isShort ? text : text.slice(0, valueLength / LONGEST_FORM)
}
