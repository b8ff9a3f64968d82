import type { ColumnTally } from '../format.ts'

interface TallyOptions {
  readonly width: number
  readonly warnings: readonly string[]
}

/** Rows come in the order of the file, and some are read again later: those are not counted twice. */
export function createTally(uses: ColumnTally['uses'], { width, warnings }: TallyOptions) {
  const counts = new Array<number>(width).fill(0)
  let last = 0
  return {
    uses,
    warnings,
    /** Whether the row comes for the first time. */
    count(line: number, cells: readonly string[]): boolean {
      if (line <= last) return false
      last = line
      for (let at = 0; at < width; at++) if (cells[at]) counts[at]!++
      return true
    },
    values: () => [...counts],
    resume(values: readonly number[]): void {
      for (const [at, value] of values.entries()) counts[at] = value
    },
  }
}
