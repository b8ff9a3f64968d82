import { limits } from '../../limits.ts'
import { BadRow } from './mapped-row.ts'

/** A row that is no product, and none that is rejected: thrown for millions, so made once. */
export const PASSED_OVER = new Error('The row is no product.')

/** Missing cells are empty; additional ones with something in them are refused. */
export function wellShaped(
  cells: readonly string[],
  width: number,
  after: number | undefined,
): readonly string[] {
  if (cells.length === width) return cells
  if (cells.length > limits.importColumns) {
    throw new BadRow(`more than ${limits.importColumns} cells`)
  }
  if (cells.slice(width).some((cell) => cell.trim() !== '')) {
    throw new BadRow(`${cells.length} cells, the first row has ${width}`)
  }
  // What follows a broken row may be the inside of a cell: only whole rows are believed.
  if (after === undefined) return cells
  throw new BadRow(
    `${cells.length} cells instead of ${width}, after the broken row in line ${after}`,
  )
}
