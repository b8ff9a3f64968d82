import { limits } from '../../limits.ts'
import { checkUnpacked } from '../bytes/unpack.ts'
import type { RawRow } from '../rows/raw-row.ts'
import { rowOfCells } from '../rows/table.ts'
import type { Attributes, XmlHandler, XmlReader } from '../text/xml.ts'
import { numberText } from './number-format.ts'
import { createTextGatherer, unescaped } from './rich-text.ts'
import type { NumberFormats } from './workbook-parts.ts'

/** Parts of the workbook to which cells of a sheet refer. */
export interface SheetParts {
  readonly formatOf: NumberFormats
  readonly is1904: boolean
  stringAt(index: number): string
  /** Bytes of the workbook, which limit how much text its cells may share. */
  readonly packedBytes: number
}

/** Maximum number of columns in a workbook. */
const COLUMNS = 16_384

/** The index of the column in a reference such as AB12, from 0; undefined for other text. */
export function columnOf(reference: string): number | undefined {
  let number = 0
  let at = 0
  for (; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    number = number * 26 + letter
    if (number > COLUMNS) return undefined
  }
  return at === 0 ? undefined : number - 1
}

/**
 * Reads the rows of a worksheet, each as a JSON array of its cells' texts. Rows without a value are
 * left out. A merged area has its value in its first cell.
 */
export const createSheetReader =
  (parts: SheetParts): XmlReader<RawRow> =>
  (emit) =>
    sheetHandler(parts, emit)

function sheetHandler(
  { formatOf, is1904, stringAt, packedBytes }: SheetParts,
  emit: (row: RawRow) => void,
): XmlHandler {
  const inline = createTextGatherer()
  let over = false
  let line = 0
  let cells: string[] = []
  let length = 0
  let shared = 0
  let at = -1
  let cell: Attributes = {}
  let value = ''
  let inValue = false
  let inInline = false

  function sharedText(index: number): string {
    const text = stringAt(index)
    shared += text.length
    checkUnpacked(shared, packedBytes)
    return text
  }

  function textOfCell(): string {
    const { t: type, s: style } = cell
    if (type === 'inlineStr') return inline.taken()
    if (type === 's') return value === '' ? '' : sharedText(Number(value))
    if (type === 'str' || type === 'd') return unescaped(value)
    if (type === 'b') return value.trim() === '1' ? 'true' : 'false'
    // An error such as #N/A has no value.
    if (type === 'e' || value === '') return ''
    return numberText(value, formatOf(Number(style ?? 0)), is1904)
  }

  function endCell(): void {
    if (length > limits.importRowBytes) return
    const isSaid = value !== '' || cell.t === 'inlineStr'
    const text = isSaid ? textOfCell() : ''
    if (text === '' || at >= COLUMNS) return
    length += text.length
    // One more than a row may have, to detect that there are too many. A distant column fills no
    // more.
    const place = Math.min(at, limits.importColumns)
    while (cells.length < place) cells.push('')
    cells[place] = text
  }

  function endRow(): void {
    const row = rowOfCells(line, cells, length)
    if (row) emit(row)
  }

  return {
    open(name, attributes) {
      if (name === 'row') {
        const number = Number(attributes.r)
        line = Number.isSafeInteger(number) && number > line ? number : line + 1
        cells = []
        length = 0
        at = -1
      } else if (name === 'c') {
        cell = attributes
        at = columnOf(attributes.r ?? '') ?? at + 1
        value = ''
        inline.begin()
      } else if (name === 'v') inValue = true
      else if (name === 'is') inInline = true
      else if (inInline) inline.open(name)
    },
    text(text) {
      // One more than a row may have, as elements inside a value must not make it endless.
      if (inValue) value += text.slice(0, limits.importRowBytes + 1 - value.length)
      else if (inInline) inline.text(text)
    },
    close(name) {
      if (name === 'c') endCell()
      else if (name === 'row') endRow()
      else if (name === 'v') inValue = false
      else if (name === 'is') inInline = false
      else if (name === 'sheetData') over = true
      else if (inInline) inline.close(name)
    },
    isOver: () => over,
  }
}
