import { Invalid } from '../../errors.ts'
import type { ReadingSettings } from '../format.ts'
import {
  joinHeadings,
  type MatchedColumns,
  matchHeader,
  noFieldFor,
  noteOf,
  repeatedNote,
  spareBeside,
  type Unmapped,
} from './column-uses.ts'
import type { FieldTarget } from './fields.ts'
import { checkIdentity } from './mapping.ts'
import { suggestColumns } from './suggest.ts'

/** The rows by which columns are recognized. */
interface TopRows {
  readonly top: readonly string[]
  readonly sample: readonly (readonly string[])[]
  readonly width: number
  readonly delimiter: string | undefined
}

/**
 * The fields of columns, by the mappings or by their headings. Throws Invalid if they cannot be
 * determined.
 */
export function columnsFor({ top, sample, width, delimiter }: TopRows, settings: ReadingSettings) {
  const { columns, header, vendor, fallbackVendor = null, unmapped = 'ignore' } = settings
  const headings = header ? top : []
  const how = delimiter === undefined ? '' : ` with the delimiter ${shown(delimiter)}`
  if (columns) {
    const beyond = columns.find(({ index }) => index >= width)
    if (!beyond) return withSpare(headings, { columns, repeated: [] }, unmapped ?? 'ignore')
    throw new Invalid(
      `mappings: the file has no column ${beyond.index};${how} it has ${width}, counted from 0`,
    )
  }
  const matched = matchHeader(top, suggestColumns(top, sample))
  if (matched.columns.length === 0) {
    throw new Invalid(
      `None of the headings in the first row is known: ${joinHeadings(top)}${how && ` (delimiter ${shown(delimiter!)})`}. Send mappings.`,
    )
  }
  checkIdentity(matched.columns, vendor ?? fallbackVendor)
  const used = withSpare(headings, matched, unmapped ?? 'attribute')
  return { ...used, warnings: matched.warnings }
}

/** Kinds of values for columns without a known field. */
const SPARE = ['attribute', 'facet', 'option'] as const
const targetText = (target: FieldTarget): string => ('name' in target ? target.name : '')

/** Adds the columns without a field. Throws Invalid if there may be none. */
function withSpare(
  headings: readonly string[],
  { columns, repeated }: MatchedColumns,
  unmapped: Unmapped,
) {
  const spare = spareBeside(headings, { columns, repeated })
  const names = spare.map(({ index }) => headings[index]!.trim())
  const keptAs = (to: FieldTarget['to']) =>
    spare.flatMap(({ target }) => (target.to === to ? [targetText(target)] : []))
  if (unmapped === 'fail' && names.length > 0) {
    throw noFieldFor(names)
  }
  const kept = unmapped === 'attribute' ? [...columns, ...spare] : columns
  const isKept = new Set(kept.map(({ index }) => index))
  const unused = headings.filter(
    (text, index) => text.trim() !== '' && !isKept.has(index) && !repeated.includes(text.trim()),
  )
  return {
    columns: kept,
    warnings: [],
    notes: [
      ...(unmapped === 'attribute'
        ? [
            ...SPARE.flatMap((to) => noteOf(`Columns kept as ${to}s`, keptAs(to))),
            ...noteOf('Columns not used', unused),
          ]
        : []),
      ...repeatedNote(repeated),
    ],
  }
}

const shown = (delimiter: string): string => (delimiter === '\t' ? 'tab' : `"${delimiter}"`)
