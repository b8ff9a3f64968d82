import { limits } from '../../limits.ts'
import { cut } from '../../text.ts'
import { parseNumber } from './cell-values.ts'
import { filledIn, isGtin } from './guess-field.ts'
import { headingStart } from './headings.ts'
import { byName } from './suggest.ts'

const ADDRESS = /^https?:\/\//i

/** Whether the first row of a file seems to be a header. */
export function looksLikeHeader(cells: readonly string[]): boolean {
  const filled = filledIn(cells.map(headingStart))
  if (filled.some((text) => byName(text) !== undefined)) return true
  return !filled.some(
    (text) => ADDRESS.test(text) || isGtin(text) || parseNumber(text, '.') !== undefined,
  )
}

/** One list per column: its heading, then its values. */
export function columnsOfCells(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string[][] {
  const width = rows.reduce((most, { length }) => Math.max(most, length), headings.length)
  return Array.from({ length: Math.min(width, limits.importColumns) }, (_, at) =>
    [headings[at] ?? '', ...rows.map((cells) => cells[at] ?? '')].map((text) =>
      cut(text, limits.sampleValueLength),
    ),
  )
}

/** One list per name in rows that name their values, in order of appearance. */
export function columnsOfNamed(rows: readonly (readonly (readonly [string, string])[])[]) {
  const names = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))]
  const maps = rows.map((row) => new Map(row))
  return columnsOfCells(
    names,
    maps.map((row) => names.map((name) => row.get(name) ?? '')),
  )
}
