import type { ColumnTally } from '../format.ts'
import type { RawRow } from './raw-row.ts'

/**
 * Counts values by column. Rows come in the order of the file, and some are read again later, which
 * does not count.
 */
export function createTally(uses: ColumnTally['uses'], width: number) {
  const counts = new Array<number>(width).fill(0)
  let last: RawRow | undefined
  /** Other rows on the line of the last one, since a file may be a single line. */
  let beside = new WeakSet<RawRow>()
  function isFirst(row: RawRow): boolean {
    if (last === undefined || row.line > last.line) {
      last = row
      beside = new WeakSet()
      return true
    }
    if (row.line < last.line || row === last || beside.has(row)) return false
    beside.add(row)
    return true
  }
  return {
    uses,
    /** Counts a row. Returns whether it is the first time. */
    count(row: RawRow, cells: readonly string[]): boolean {
      if (!isFirst(row)) return false
      for (let at = 0; at < width; at++) if (cells[at]) counts[at]!++
      return true
    },
    values: () => [...counts],
    resume(values: readonly number[]): void {
      for (const [at, value] of values.entries()) counts[at] = value
    },
  }
}
