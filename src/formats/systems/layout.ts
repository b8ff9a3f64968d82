import { limits } from '../../limits.ts'
import { cut } from '../../text.ts'
import { categoryLevels } from '../rows/category-path.ts'
import type { Decimal } from '../rows/cell-values.ts'
import { type ColumnUse, noFieldFor, type Unmapped } from '../rows/column-uses.ts'
import { fieldOf, nameProblem, targetName, targetOf } from '../rows/fields.ts'
import { headingTarget, ownField } from '../rows/heading-target.ts'
import { htmlAsText } from '../rows/html-text.ts'
import { spareText } from '../rows/mapped-row.ts'
import type { FieldValue, RowValues } from '../rows/named-values.ts'
import {
  filled,
  folded,
  isConfidential,
  type RowTexts,
  rememberingLast,
  type ShopSystem,
} from './system.ts'

/** The columns of a system's file. */
export interface Layout {
  readonly system: ShopSystem
  /** Headings as the system spells them, by column; empty for one that repeats another. */
  readonly names: readonly string[]
  /** All of these names. */
  readonly known: ReadonlySet<string>
  /** The headings in the file, by name. */
  readonly called: ReadonlyMap<string, string>
  /** Fields by name, in order of precedence. */
  readonly fields: readonly (readonly [name: string, field: string])[]
  /** Price columns that are attributes, since another one is the price. */
  readonly otherPrices: ReadonlySet<string>
  /** Headings without a known field, which become attributes. */
  readonly spare: readonly string[]
  readonly uses: readonly ColumnUse[]
  /** The decimal separator; a point until rows are read. */
  readonly decimal: Decimal
  readonly repeated: readonly string[]
}

/**
 * How a column is read: `direct` and `named` without changes, `read` by `values`, `spare` as an
 * attribute if at all.
 */
interface ColumnReading {
  readonly by: 'direct' | 'read' | 'named' | 'spare'
  /** The field that it fills; null for none. */
  readonly field: string | null
}

/** Vendor and manufacturer, for which shops add columns. */
const ADDED = new Set(['vendor.vendorName', 'manufacturer'])

function addedField(name: string): string | undefined {
  const target = headingTarget(name)
  const field = target && targetName(target)
  return field !== undefined && ADDED.has(field) ? field : undefined
}

function readingsOf(system: ShopSystem): (name: string) => ColumnReading {
  const direct = new Map(Object.entries(system.fields))
  return (name) => {
    const own = direct.get(name)
    if (own !== undefined) return { by: 'direct', field: own }
    const read = system.read.find(([pattern]) => pattern.test(name))
    if (read) return { by: 'read', field: read[1] }
    if (isConfidential(name)) return { by: 'read', field: null }
    const field = system.fieldOf?.(name) ?? addedField(name)
    return field === undefined ? { by: 'spare', field: null } : { by: 'named', field }
  }
}

/** Determines the use of each column. Throws Invalid if all columns must have a field. */
export function layoutOf(
  system: ShopSystem,
  headings: readonly string[],
  unmapped: Unmapped,
): Layout {
  const spelled = new Map(Object.keys(system.fields).map((name) => [folded(name), name]))
  const all = headings.map(
    (text) => spelled.get(folded(text)) ?? system.english?.(text) ?? text.trim(),
  )
  const names = all.map((name, at) => (all.indexOf(name) === at ? name : ''))
  const readingOf = readingsOf(system)
  const distinct = names.filter((name) => name !== '')
  const readings = new Map(distinct.map((name) => [name, readingOf(name)]))
  const free = distinct.filter((name) => readings.get(name)!.by === 'spare')
  if (unmapped === 'fail' && free.length > 0) throw noFieldFor(free)
  const spare =
    unmapped === 'attribute'
      ? free.filter((name) => nameProblem(name) === undefined).slice(0, limits.productAttributes)
      : []
  const kept = new Set(spare)
  const hasGroups = [...readings.values()].some(({ field }) => field === 'groupId')
  const spareField = (name: string) => ownField(name, hasGroups)
  return {
    system,
    names,
    known: new Set(distinct),
    called: new Map(
      names.flatMap((name, at) => (name === '' ? [] : [[name, headings[at]!.trim()] as const])),
    ),
    fields: [
      ...Object.entries(system.fields).filter(([name]) => readings.has(name)),
      ...[...readings].flatMap(([name, { by, field }]): [string, string][] =>
        by === 'named' ? [[name, field!]] : [],
      ),
    ],
    otherPrices: new Set(),
    spare,
    decimal: '.',
    repeated: headings.filter((text, at) => text.trim() !== '' && names[at] === ''),
    uses: headings.map((heading, column) => {
      const name = names[column]!
      const isSpare = kept.has(name)
      return {
        column,
        heading: heading.trim().slice(0, limits.nameLength).toWellFormed(),
        field: isSpare ? spareField(name) : (readings.get(name)?.field ?? null),
        attribute: isSpare ? name : null,
      }
    }),
  }
}

/** Length from which a description is shortened before it is repeated for each variant. */
const HTML = 32 * 1024

/** Length from which the middle levels of a category, which no product has, are left out. */
const PATH = 4 * limits.nameLength

const shortPath = (text: string): string => (text.length <= PATH ? text : withoutMiddle(text))

const withoutMiddle = rememberingLast((text) => {
  const levels = categoryLevels(text)
  return (levels.length > 3 ? [levels[0], levels[1], levels.at(-1)] : levels).join(' > ')
})

/** The values of a row by name. */
export function rowTexts({ system, names, fields }: Layout, cells: readonly string[]): RowTexts {
  // No prototype, since a heading may be `constructor`.
  const said: Record<string, string> = Object.create(null)
  for (const [at, name] of names.entries()) {
    const text = cells[at]?.trim()
    if (name !== '' && text) said[name] = system.textOf?.(name, text) ?? text
  }
  for (const [name, field] of fields) {
    const text = said[name]
    if (field === 'description' && text && text.length > HTML) {
      said[name] = cut(htmlAsText(text), limits.valueLength)
    }
    if (field === 'category' && text) said[name] = shortPath(text)
  }
  return said
}

/** A row whose prices are only those of the columns chosen for them. */
function pricesIn(said: RowTexts, otherPrices: ReadonlySet<string>): RowTexts {
  if (otherPrices.size === 0) return said
  const read: Record<string, string | undefined> = Object.assign(Object.create(null), said)
  for (const name of otherPrices) delete read[name]
  return read
}

/** Characters beyond the length of a field with which a text is refused even if some are trimmed. */
const ROOM = 10

/**
 * A text that is repeated for each variant, with no more characters than needed to be accepted or
 * refused as a whole.
 */
function repeatable(field: string, text: string): string {
  if (text.length <= limits.nameLength) return text
  if (field === 'id') return cut(text, limits.idLength)
  if (field === 'category') return shortPath(text)
  // A description was shortened before, and is converted to text when it is read.
  if (field === 'description') return text
  const target = targetOf(field, null)
  const kind = target && fieldOf(target)
  if (kind === undefined || kind.kind === 'list') return text
  return cut(text, (kind.kind === 'text' ? kind.max : limits.valueLength) + ROOM)
}

/** The values of a product by its row, and by its head and pictures. */
export function valuesOf(
  { system, fields, otherPrices, spare, decimal, called, known }: Layout,
  said: RowTexts,
  { head, pictures = [] }: { head?: RowTexts | undefined; pictures?: readonly string[] } = {},
): RowValues {
  const has = (name: string) => known.has(name)
  const around = { head, pictures, decimal, has }
  const own = system.values?.(pricesIn(said, otherPrices), around)
  const options = filled(own?.options ?? [])
  const images = own?.images ?? []
  const values: FieldValue[] = []
  const taken = new Map<string, string>()
  const add = (field: string, text: string, name?: string): boolean => {
    const key = name === undefined ? field : `${field} ${name}`
    if (taken.has(key)) return taken.get(key) === text
    taken.set(key, text)
    values.push(
      name === undefined
        ? [field, repeatable(field, text)]
        : [field, spareText(text.slice(0, limits.valueLength + 1)), cut(name, limits.nameLength)],
    )
    return true
  }
  for (const [field, text] of filled(Object.entries(own?.fields ?? {}))) add(field, text)
  for (const [name, text] of options) add('option', text, name)
  const others = filled(own?.attributes ?? [])
  const ownFields = new Set(taken.keys())
  for (const [name, field] of fields) {
    const text = said[name]
    // A second text for a field becomes an attribute.
    if (!text || ownFields.has(field)) continue
    if (!otherPrices.has(name) && add(field, text)) continue
    if (spare.length === 0 || field === 'id') continue
    const isProse = field === 'description'
    others.push([called.get(name) ?? name, isProse ? htmlAsText(text) : text])
  }
  for (const name of spare) if (said[name]) others.push([name, said[name]])
  const hasGroups = taken.has('groupId') && options.length === 0
  for (const [name, text] of others) {
    const isOption = taken.has(`option ${name}`)
    if (!isOption) add(ownField(name, hasGroups), text, name)
  }
  return images.length > 0
    ? { values, images: images.slice(0, limits.productListEntries) }
    : { values }
}
