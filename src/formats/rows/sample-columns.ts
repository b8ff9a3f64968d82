import { limits } from '../../limits.ts'
import { cut } from '../../text.ts'
import { parseNumber } from './cell-values.ts'
import { filledIn, isGtin } from './guess-field.ts'
import { byName } from './suggest.ts'

const ADDRESS = /^https?:\/\//i

/** Whether the first row of a file names its columns, as far as one can see. */
export function looksLikeHeader(cells: readonly string[]): boolean {
  const said = filledIn(cells)
  if (said.some((text) => byName(text) !== undefined)) return true
  return !said.some(
    (text) => ADDRESS.test(text) || isGtin(text) || parseNumber(text, '.') !== undefined,
  )
}

/** One list for each column: its heading, then its values. */
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

/** The same of rows that name their values, each name once in the order of its coming. */
export function columnsOfNamed(rows: readonly (readonly (readonly [string, string])[])[]) {
  const names = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))]
  const maps = rows.map((row) => new Map(row))
  return columnsOfCells(
    names,
    maps.map((row) => names.map((name) => row.get(name) ?? '')),
  )
}
