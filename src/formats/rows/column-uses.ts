import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type FieldTarget, type MappedColumn, nameProblem, targetName } from './fields.ts'
import { NAMED, ownField } from './heading-target.ts'
import { byName, pictureNumber, SURE, type Suggestion, suggest } from './suggest.ts'

/** What becomes of columns that no field is known for. */
export const UNMAPPED = ['attribute', 'ignore', 'fail'] as const
export type Unmapped = (typeof UNMAPPED)[number]

/** What a column fills, as a mapping says it; `field` null: nothing. */
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

/** What each column with a heading fills. */
export function usesOf(
  headings: readonly string[],
  columns: readonly MappedColumn[],
): readonly ColumnUse[] {
  const all = headings.map((heading, index) => ({ heading: heading.trim(), index }))
  return all.flatMap(({ heading, index }): ColumnUse[] => {
    const fills = columns.filter((column) => column.index === index)
    const shown = heading.slice(0, limits.nameLength).toWellFormed()
    const use = { column: index, heading: shown }
    if (fills.length > 0) return fills.map(({ target }) => ({ ...use, ...namedTarget(target) }))
    return heading === '' ? [] : [{ ...use, field: null, attribute: null }]
  })
}

/**
 * Columns that fill nothing, as attributes under their headings; colour, size and the like as facets,
 * of variants as options.
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
    // `facet: A` that came this far has a name that nothing can have.
    if (name === '' || isTaken || NAMED.test(name) || nameProblem(name) !== undefined) continue
    if (spare.length === limits.productAttributes) break
    names.add(targetName(target))
    spare.push({ index, target, spare: true })
  }
  return spare
}

/** The same of matched headings, but for those that repeat a field: a second price may be nobody else's business. */
export const spareBeside = (
  headings: readonly string[],
  { columns, repeated }: MatchedColumns,
): MappedColumn[] =>
  spareColumns(
    headings.map((text) => (repeated.includes(text.trim()) ? '' : text)),
    columns,
  )

/** Columns that fill a field, and headings that name one which another column fills. */
export interface MatchedColumns {
  readonly columns: readonly MappedColumn[]
  readonly repeated: readonly string[]
}

/** Whose loss or confusion a shop would notice at once. */
const TOLD = new Set(['msrp', 'vendor.cost', 'vendor.onHand', 'vendor.inStock'])

/** Short whole numbers alone are less: codes, years and categories are such, too. */
const LIKELY = 0.5

/**
 * Columns that may be a field no other column fills, by their heading or their values, and ones that
 * are taken for it though they are misspelt.
 */
function guessWarnings(headings: readonly string[], suggestions: readonly Suggestion[]): string[] {
  return suggestions.flatMap(({ index, target, confidence }) => {
    const field = targetName(target)
    const text = headings[index]?.trim() ?? ''
    if (!TOLD.has(field) || text === '') return []
    const named = `Column ${JSON.stringify(text.slice(0, 60).toWellFormed())}`
    if (confidence < LIKELY) return []
    if (confidence < SURE) {
      return [`${named} looks like ${field} and was not taken for it: send mappings if it is.`]
    }
    const isCertain = byName(text)?.confidence !== SURE
    return isCertain ? [] : [`${named} was taken for ${field}: send mappings if it is not.`]
  })
}

/** `Image 1`, `Image 2` …: the picture where no other column is it, and further ones. */
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
 * Matches a header row: a field goes to the surest column with its name. `unknown` headings fill
 * none, `repeated` ones name a field that another column fills.
 */
export function matchHeader(
  headings: readonly string[],
  rows: readonly (readonly string[])[] = [],
) {
  const suggestions = suggest(headings, rows)
  const sure = suggestions.filter(({ confidence }) => confidence >= SURE)
  const used = new Set(sure.map(({ index }) => index))
  const filled = new Set(sure.map(({ target }) => targetName(target)))
  const others = headings
    .map((text, index) => ({ text: text.trim(), index }))
    .filter(({ text, index }) => text !== '' && !used.has(index))
  const pictures = numberedPictures(others, filled.has('image'))
  const isPicture = new Set(pictures.map(({ index }) => index))
  const left = others.filter(({ index }) => !isPicture.has(index))
  const isRepeated = (text: string): boolean => {
    const named = byName(text)
    return named !== undefined && filled.has(targetName(named.target))
  }
  return {
    columns: [...sure.map(({ index, target }): MappedColumn => ({ index, target })), ...pictures],
    unknown: left.filter(({ text }) => !isRepeated(text)).map(({ text }) => text),
    repeated: left.filter(({ text }) => isRepeated(text)).map(({ text }) => text),
    warnings: guessWarnings(headings, suggestions),
  }
}

const LISTED = 10

/** Headings as a message lists them. */
export function listed(names: readonly string[]): string {
  const short = names
    .slice(0, LISTED)
    .map((name) => name.slice(0, limits.nameLength).toWellFormed())
  return short.join(', ') + (names.length > LISTED ? ` and ${names.length - LISTED} more` : '')
}

/** Why a file is refused whose columns all have to fill a field. */
export const noFieldFor = (names: readonly string[]): Invalid =>
  new Invalid(`unmapped: no field is known for ${listed(names)}. Send mappings.`)
