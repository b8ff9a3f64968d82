import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Invalid } from '../../errors.ts'
import { storedBuffer } from '../../formats/bytes/stored-bytes.ts'
import { csvRows } from '../../formats/csv/rows.ts'
import type { Format } from '../../formats/format.ts'
import { recognisedFormat } from '../../formats/registry.ts'
import { utf16Of } from '../../formats/text/encoding.ts'
import type { FileRow } from '../../formats/worker/messages.ts'
import { openInWorker, type ReadingTurn } from '../../formats/worker/open-in-worker.ts'
import { limits } from '../../limits.ts'
import { abortCheck } from '../../platform/deadline.ts'
import { inSteps } from '../../platform/in-steps.ts'
import type { Steps } from '../../platform/steps.ts'
import {
  addRow,
  addRows,
  decodeText,
  delimiterOf,
  dividedRows,
  QUOTE,
  type SheetRow,
  textRows,
  tooManyLines,
  utf8Of,
} from './sheet.ts'

const HEAD = 1_024
/**
 * Maximum number of unpacked bytes to read, as empty rows may take up many, and of characters of
 * rows, whose cells may share texts.
 */
const MOST = 64 * 1024 * 1024

const CELLS_ONLY = {
  ...{ delimiter: null, quote: '"', header: false, entry: null, sheet: null },
  ...{ columns: [], vendor: null },
}

/**
 * The rows of a list: a spreadsheet recognized by its bytes, or csv, tsv or plain text. Throws
 * Invalid.
 */
export async function rowsIn(bytes: Buffer, ctx: ReadingTurn): Promise<SheetRow[]> {
  const format = await recognisedFormat(storedBuffer(bytes))
  if (format) return tableRows(format, bytes, ctx)
  const head = bytes.subarray(0, HEAD)
  if (head.includes(0) && utf16Of(head) === undefined) {
    throw new Invalid('The list must be csv, xlsx, parquet, a Google Merchant feed or text.')
  }
  return rowsOf(await inSteps(decodeText(bytes)))
}

async function tableRows(
  { type: fileType }: Format,
  bytes: Buffer,
  turn: ReadingTurn,
): Promise<SheetRow[]> {
  const { signal } = turn
  const table = await openInWorker(storedBuffer(bytes), CELLS_ONLY, {
    ...{ fileType, now: new Date(), isCancelled: abortCheck(signal), most: MOST, turn },
  })
  try {
    if (table.isCut) throw tooManyLines()
    const rows: SheetRow[] = []
    if (table.headings.length > 0) addRow(rows, { line: 0, cells: table.headings })
    let characters = 0
    function* filledRows(batch: readonly FileRow[]): Generator<SheetRow> {
      for (const { line, length, cells = [] } of batch) {
        characters += length
        if (characters > MOST) throw tooLong()
        signal.throwIfAborted()
        if (cells.some((cell) => cell.trim() !== '')) yield { line, cells }
      }
    }
    for await (const batch of table.rows({ areCells: true })) {
      await inSteps(addRows(rows, filledRows(batch.rows)))
    }
    return rows
  } finally {
    await table.close()
  }
}

const tooLong = (): Invalid =>
  new Invalid(`The list has more than ${MOST} characters. Send it in parts.`)

/** Maximum number of lines, including empty ones. */
const LINES = 50 * limits.recommendationLines

function* linesOf(text: string): Steps<string[]> {
  const lines: string[] = []
  let from = 0
  for (const { 0: lineEnd, index } of text.matchAll(/\r\n?|\n/g)) {
    lines.push(text.slice(from, index))
    if (lines.length === LINES) throw tooManyLines()
    from = index + lineEnd.length
    yield
  }
  lines.push(text.slice(from))
  return lines
}

/** The rows of a pasted text or of a csv or tsv file. Throws Invalid for too many lines. */
export async function rowsOf(text: string): Promise<SheetRow[]> {
  const lines = await inSteps(linesOf(text))
  const delimiter = await inSteps(delimiterOf(text))
  const rows: SheetRow[] = []
  if (delimiter === undefined) {
    await inSteps(addRows(rows, textRows(lines)))
    return rows
  }
  const dialect = { delimiter, quote: QUOTE }
  for await (const batch of csvRows(utf8Of(text), dialect)) {
    await inSteps(addRows(rows, dividedRows(batch, dialect)))
    await yieldToEventLoop()
  }
  return rows
}
