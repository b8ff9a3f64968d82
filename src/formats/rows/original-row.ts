import { limits } from '../../limits.ts'
import type { OriginalRow } from './row-change.ts'

/** Characters of a row in the list of rejected rows. */
const ROW_LENGTH = 8_000

/** The beginning of a row that is long or has very many cells. */
export function shortRow(original: OriginalRow): OriginalRow {
  if (typeof original === 'string') return cut(original)
  let room = ROW_LENGTH
  return original.slice(0, limits.importColumns).map((cell) => {
    const shown = cell.length <= room ? cell : cut(cell.slice(0, Math.max(0, room)))
    room -= shown.length
    return shown
  })
}

const cut = (text: string): string =>
  text.length <= ROW_LENGTH ? text : `${text.slice(0, ROW_LENGTH).toWellFormed()}…`
