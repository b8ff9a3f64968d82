import { matchingHeader } from '../../src/formats/rows/column-uses.ts'
import { suggesting } from '../../src/formats/rows/suggest.ts'
import { atOnce } from '../../src/platform/steps.ts'

type Rows = readonly (readonly string[])[]

/** `matchingHeader` without a pause. */
export const matchHeader = (headings: readonly string[], rows: Rows = []) =>
  atOnce(matchingHeader(headings, suggest(headings, rows)))

/** `suggesting` without a pause. */
export const suggest = (headings: readonly string[] | null, rows: Rows) =>
  atOnce(suggesting(headings, rows))
