import { Invalid } from '../../errors.ts'
import { storedBuffer } from '../../formats/bytes/stored-bytes.ts'
import type { Format } from '../../formats/format.ts'
import { recognisedFormat } from '../../formats/registry.ts'
import { utf16Of } from '../../formats/text/encoding.ts'
import { abortCheck } from '../../platform/deadline.ts'
import { addRow, rowsOf, type SheetRow, textOf, tooManyLines } from './sheet.ts'

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
export async function rowsIn(bytes: Buffer, signal: AbortSignal): Promise<SheetRow[]> {
  const format = await recognisedFormat(storedBuffer(bytes))
  if (format) return tableRows(format, bytes, signal)
  const head = bytes.subarray(0, HEAD)
  if (head.includes(0) && utf16Of(head) === undefined) {
    throw new Invalid('The list must be csv, xlsx, parquet or text.')
  }
  return rowsOf(await textOf(bytes))
}

async function tableRows(format: Format, bytes: Buffer, signal: AbortSignal): Promise<SheetRow[]> {
  const isCancelled = abortCheck(signal)
  const options = { now: new Date(), isCancelled, most: MOST }
  const table = await format.open(storedBuffer(bytes), CELLS_ONLY, options)
  try {
    if (table.isCut) throw tooManyLines()
    const rows: SheetRow[] = []
    if (table.headings.length > 0) addRow(rows, { line: 0, cells: table.headings })
    let characters = 0
    for await (const batch of table.batches) {
      for (const row of batch) {
        characters += row.text.length
        if (characters > MOST) throw tooLong()
        signal.throwIfAborted()
        const cells = table.original(row) as readonly string[]
        if (cells.some((cell) => cell.trim() !== '')) addRow(rows, { line: row.line, cells })
      }
    }
    return rows
  } finally {
    await table.close()
  }
}

const tooLong = (): Invalid =>
  new Invalid(`The list has more than ${MOST} characters. Send it in parts.`)
