import { csv } from '../csv/format.ts'
import type { Format } from '../format.ts'

/** Cells between tabs. */
export const tsv: Format = {
  type: 'tsv',
  endings: ['tsv', 'tab'],
  delimiter: '\t',
  rejectsAs: 'csv',
  open: csv.open,
}
