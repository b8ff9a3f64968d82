import { Invalid } from '../../errors.ts'
import type { Stored } from '../../formats/bytes/stored.ts'
import { isZip } from '../../formats/bytes/zip.ts'
import { utf16Of } from '../../formats/text/encoding.ts'
import { readXml } from '../../formats/text/xml.ts'
import { createSheetReader } from '../../formats/xlsx/sheet.ts'
import { openSheet } from '../../formats/xlsx/workbook.ts'
import { addRow, rowsOf, type SheetRow, textOf } from './sheet.ts'

const HEAD = 1_024
/** Characters of the texts that the cells of a workbook share. */
const SHARED_TEXT = 4 * 1024 * 1024

/** The rows of a list: the first sheet of a workbook, csv, tsv or text. Throws Invalid. */
export async function rowsIn(bytes: Buffer, signal: AbortSignal): Promise<SheetRow[]> {
  if (isZip(bytes)) return workbookRows(bytes, signal)
  const head = bytes.subarray(0, HEAD)
  if (head.includes(0) && utf16Of(head) === undefined) {
    throw new Invalid('The list must be csv, xlsx or text.')
  }
  return rowsOf(await textOf(bytes))
}

async function workbookRows(bytes: Buffer, signal: AbortSignal): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  const isCancelled = () => signal.aborted
  const wanted = { entry: null, sheet: null, most: SHARED_TEXT, isCancelled }
  const sheet = await openSheet(heldIn(bytes), wanted)
  try {
    for await (const batch of readXml(sheet.source.open(), createSheetReader(sheet))) {
      for (const { line, text } of batch) {
        const cells = JSON.parse(text) as string[]
        if (cells.some((cell) => cell.trim() !== '')) addRow(rows, { line, cells })
      }
    }
  } finally {
    await sheet.close()
  }
  return rows
}

/** Bytes in memory, as files are read. */
const heldIn = (bytes: Buffer): Stored => ({
  bytes: bytes.length,
  async *read({ start = 0, end = bytes.length } = {}) {
    const last = Math.min(end, bytes.length)
    for (let at = start; at < last; at += PIECE) {
      yield bytes.subarray(at, Math.min(at + PIECE, last))
    }
  },
})

const PIECE = 64 * 1024
