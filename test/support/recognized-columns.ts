import { matchHeader as matchWith } from '../../src/formats/rows/column-uses.ts'
import { suggestColumns } from '../../src/formats/rows/suggest.ts'

/** `matchHeader` with the suggestions for these rows. */
export const matchHeader = (
  headings: readonly string[],
  rows: readonly (readonly string[])[] = [],
) => matchWith(headings, suggestColumns(headings, rows))
