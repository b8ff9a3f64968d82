import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type FieldTarget, type MappedColumn, nameProblem, targetName } from './fields.ts'
import { NAMED, ownField } from './heading-target.ts'
import { byName, pictureNumber, SURE, type Suggestion } from './suggest.ts'

/** What happens to columns without a known field. */
export const UNMAPPED = ['attribute', 'ignore', 'fail'] as const
export type Unmapped = (typeof UNMAPPED)[number]

/** The use of a column in the terms of a mapping; null `field` for none. */
export interface ColumnUse {
  readonly column: number
  readonly heading: string
  readonly field: string | null
  /** The name of an attribute, facet, filter or option. */
  readonly attribute: string | null
}

/** A target as `field` and `attribute` of a mapping. */
export function namedTarget(target: FieldTarget) {
  if ('name' in target) return { field: target.to, attribute: target.name }
  return {
    field: target.to === 'vendor' ? `vendor.${target.field}` : target.field,
    attribute: null,
  }
}

/** The uses of columns that have a heading. */
export function usesOf(
  headings: readonly string[],
  columns: readonly MappedColumn[],
): readonly ColumnUse[] {
  const all = headings.map((heading, index) => ({ heading: heading.trim(), index }))
  const byIndex = Map.groupBy(columns, ({ index }) => index)
  return all.flatMap(({ heading, index }): ColumnUse[] => {
    const fills = byIndex.get(index) ?? []
    const shown = heading.slice(0, limits.nameLength).toWellFormed()
    const use = { column: index, heading: shown }
    if (fills.length > 0) return fills.map(({ target }) => ({ ...use, ...namedTarget(target) }))
    return heading === '' ? [] : [{ ...use, field: null, attribute: null }]
  })
}

/**
 * Uses the remaining columns as attributes named by their headings. Colors, sizes and the like
 * become facets, or options if there are variants.
 */
export function spareColumns(
  headings: readonly string[],
  columns: readonly MappedColumn[],
): MappedColumn[] {
  const used = new Set(columns.map(({ index }) => index))
  const names = new Set(columns.map(({ target }) => targetName(target)))
  const spare: MappedColumn[] = []
  const hasGroups = names.has('groupId')
  for (const [index, text] of headings.entries()) {
    const name = text.trim()
    const target = { to: ownField(name, hasGroups), name }
    const isTaken = used.has(index) || names.has(targetName(target))
    // A heading such as `facet: A` that is still unused has an invalid name.
    if (name === '' || isTaken || NAMED.test(name) || nameProblem(name) !== undefined) continue
    if (spare.length === limits.productAttributes) break
    names.add(targetName(target))
    spare.push({ index, target, spare: true })
  }
  return spare
}

/**
 * Like `spareColumns`, without headings that repeat a field, such as a second price that may be
 * confidential.
 */
export const spareBeside = (
  headings: readonly string[],
  { columns, repeated }: MatchedColumns,
): MappedColumn[] =>
  spareColumns(
    headings.map((text) => (repeated.includes(text.trim()) ? '' : text)),
    columns,
  )

/** Columns that fill a field, and headings that name a field of another column. */
export interface MatchedColumns {
  readonly columns: readonly MappedColumn[]
  readonly repeated: readonly string[]
}

/** Fields whose loss or confusion a shop would notice at once. */
const WARNED_FIELDS = new Set(['msrp', 'vendor.cost', 'vendor.onHand', 'vendor.inStock'])

/** Above the confidence of short whole numbers, which may be codes, years or categories. */
const LIKELY = 0.5

/**
 * Warnings about columns that may be such a field by heading or values but are not used for it, and
 * about misspelled headings that are.
 */
function guessWarnings(headings: readonly string[], suggestions: readonly Suggestion[]): string[] {
  return suggestions.flatMap(({ index, target, confidence }) => {
    const field = targetName(target)
    const text = headings[index]?.trim() ?? ''
    if (!WARNED_FIELDS.has(field) || text === '') return []
    const named = `Column ${JSON.stringify(text.slice(0, 60).toWellFormed())}`
    if (confidence < LIKELY) return []
    if (confidence < SURE) {
      return [`${named} looks like ${field}, but was not imported as such. If it is, map it.`]
    }
    const isCertain = byName(text)?.confidence !== SURE
    return isCertain ? [] : [`${named} was imported as ${field}. If it is something else, map it.`]
  })
}

/**
 * `Image 1`, `Image 2` …: the first is the picture unless another column is, the others are further
 * pictures.
 */
function numberedPictures(
  headings: readonly { readonly text: string; readonly index: number }[],
  hasPicture: boolean,
): MappedColumn[] {
  const numbered = headings.flatMap(({ text, index }) => {
    const number = pictureNumber(text)
    return number === undefined ? [] : [{ index, number }]
  })
  return numbered
    .sort((one, other) => one.number - other.number)
    .map(({ index }, at) => {
      const field = at === 0 && !hasPicture ? 'image' : 'images'
      return { index, target: { to: 'product', field } }
    })
}

/**
 * Matches a header row, by the suggestions for its columns. `repeated` headings name a field that
 * another column fills.
 */
export function matchHeader(headings: readonly string[], suggestions: readonly Suggestion[]) {
  const sure = suggestions.filter(({ confidence }) => confidence >= SURE)
  const used = new Set(sure.map(({ index }) => index))
  const filled = new Set(sure.map(({ target }) => targetName(target)))
  const others = headings
    .map((text, index) => ({ text: text.trim(), index }))
    .filter(({ text, index }) => text !== '' && !used.has(index))
  const pictures = numberedPictures(others, filled.has('image'))
  const isPicture = new Set(pictures.map(({ index }) => index))
  const left = others.filter(({ index }) => !isPicture.has(index))
  const repeats = ({ text }: { readonly text: string }) => {
    const named = byName(text)
    return named !== undefined && filled.has(targetName(named.target))
  }
  return {
    columns: [...sure.map(({ index, target }): MappedColumn => ({ index, target })), ...pictures],
    repeated: left.filter(repeats).map(({ text }) => text),
    warnings: guessWarnings(headings, suggestions),
  }
}

const LISTED = 10

/** Joins headings for a message. */
export function joinHeadings(names: readonly string[]): string {
  const short = names
    .slice(0, LISTED)
    .map((name) => name.slice(0, limits.nameLength).toWellFormed())
  return short.join(', ') + (names.length > LISTED ? ` and ${names.length - LISTED} more` : '')
}

/** A note that lists headings, if there are any. */
export const noteOf = (what: string, names: readonly string[]): string[] =>
  names.length > 0 ? [`${what}: ${joinHeadings(names)}.`] : []

/** The note about headings that name a field of another column. */
export const repeatedNote = (names: readonly string[]): string[] =>
  noteOf('Columns not used, since they repeat one', names)

/** The error for columns without a field, if all must have one. */
export const noFieldFor = (names: readonly string[]): Invalid =>
  new Invalid(`unmapped: no field is known for ${joinHeadings(names)}; send mappings`)
