import { limits } from '../../limits.ts'
import { BadRow } from './mapped-row.ts'

/**
 * A row that is neither a product nor rejected. Created once, since it may be thrown for millions.
 */
export const PASSED_OVER = new Error('The row is no product.')

/** Checks the number of cells. Missing ones are empty, and additional ones must be empty. */
export function checkCellCount(
  cells: readonly string[],
  width: number,
  after: number | undefined,
): readonly string[] {
  if (cells.length === width) return cells
  if (cells.length > limits.importColumns) {
    throw new BadRow(`more than ${limits.importColumns} cells`)
  }
  if (cells.slice(width).some((cell) => cell.trim() !== '')) {
    throw new BadRow(`${cells.length} cells instead of the ${width} in the first row`)
  }
  // A row after a broken one may be part of a cell, so it must be complete.
  if (after === undefined) return cells
  throw new BadRow(
    `${cells.length} cells instead of ${width}, after the broken row in line ${after}`,
  )
}
