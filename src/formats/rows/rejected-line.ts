import { csvText, escapeFormula } from '../../platform/csv-text.ts'
import type { OriginalRow } from './row-change.ts'

/** A row in the list of rejected rows. */
export function rejectedLine(
  format: 'csv' | 'jsonl',
  { line, original, reason }: { line: number; original: OriginalRow; reason: string },
): string {
  const cells = typeof original === 'string' ? [original] : original
  if (format === 'csv') return safeCsvText([String(line), reason, ...cells])
  return `${JSON.stringify({ line, reason, row: cells.join(',') })}\n`
}

/** A row of csv. An apostrophe precedes cells that a spreadsheet would treat as formulas. */
export const safeCsvText = (cells: readonly string[]): string => csvText(cells.map(escapeFormula))
