import { csvText, escapeFormula } from '../../platform/csv-text.ts'
import type { OriginalRow } from './row-change.ts'

/** A row that is not imported, and why. */
export interface Rejection {
  readonly line: number
  readonly original: OriginalRow
  readonly reason: string
}

/** A row in the list of rejected rows. */
export const rejectedLine = (format: 'csv' | 'jsonl', rejection: Rejection): string =>
  format === 'csv' ? csvLine(rejection) : jsonLine(rejection)

const cellsOf = (original: OriginalRow): readonly string[] =>
  typeof original === 'string' ? [original] : original

const csvLine = ({ line, reason, original }: Rejection): string =>
  safeCsvText([String(line), reason, ...cellsOf(original)])

/** A row of csv. An apostrophe precedes cells that a spreadsheet would treat as formulas. */
export const safeCsvText = (cells: readonly string[]): string => csvText(cells.map(escapeFormula))

const jsonLine = ({ line, reason, original }: Rejection): string =>
  `${JSON.stringify({ line, reason, row: cellsOf(original).join(',') })}\n`
