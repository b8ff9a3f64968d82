import { limits } from '../../limits.ts'
import { cut } from '../../text.ts'
import type { Decimal } from '../rows/cell-values.ts'
import { type ColumnUse, noFieldFor, type Unmapped } from '../rows/column-uses.ts'
import { nameProblem, targetName } from '../rows/fields.ts'
import { headingTarget, ownField } from '../rows/heading-target.ts'
import { htmlAsText } from '../rows/html-text.ts'
import { spareText } from '../rows/mapped-row.ts'
import type { FieldValue, RowValues } from '../rows/named-values.ts'
import { folded, type Said, type ShopSystem } from './system.ts'

/** What the columns of a file of a system are. */
export interface Layout {
  readonly system: ShopSystem
  /** Headings as the system spells them, by column; empty for one that repeats another. */
  readonly names: readonly string[]
  /** All of these. */
  readonly known: ReadonlySet<string>
  /** As the file has it, of each name that it has otherwise. */
  readonly called: ReadonlyMap<string, string>
  /** In the order in which they count. */
  readonly fields: readonly (readonly [name: string, field: string])[]
  /** Headings of which no field is known, and which become attributes. */
  readonly spare: readonly string[]
  readonly uses: readonly ColumnUse[]
  /** How the file writes numbers; a point until its rows are seen. */
  readonly decimal: Decimal
  readonly repeated: readonly string[]
}

/** How a heading is read: `direct` and `named` as they stand, `read` by `values`; `spare` by nothing. */
interface ColumnReading {
  readonly by: 'direct' | 'read' | 'named' | 'spare'
  /** What it fills; null: nothing. */
  readonly field: string | null
}

/** Whose a price is and who makes a product: what shops add columns for. */
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
    const field = system.fieldOf?.(name) ?? addedField(name)
    return field === undefined ? { by: 'spare', field: null } : { by: 'named', field }
  }
}

/** Throws Invalid where no column may be left without a field. */
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
  const said = names.filter((name) => name !== '')
  const readings = new Map(said.map((name) => [name, readingOf(name)]))
  const free = said.filter((name) => readings.get(name)!.by === 'spare')
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
    known: new Set(said),
    called: new Map(
      names.flatMap((name, at) => (name === '' ? [] : [[name, headings[at]!.trim()] as const])),
    ),
    fields: [
      ...Object.entries(system.fields).filter(([name]) => readings.has(name)),
      ...[...readings].flatMap(([name, { by, field }]): [string, string][] =>
        by === 'named' ? [[name, field!]] : [],
      ),
    ],
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

/** Characters of a description beyond which not all of it is carried to every variant. */
const HTML = 32 * 1024

/** What a row says by its headings. */
export function saidOf({ system, names, fields }: Layout, cells: readonly string[]): Said {
  // Headings are anybody's: `constructor` is one that says nothing until a cell does.
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
  }
  return said
}

/** What a row, with what it has of its head, says of its product. */
export function valuesOf(
  { system, fields, spare, decimal, called, known }: Layout,
  said: Said,
  { head, pictures = [] }: { head?: Said | undefined; pictures?: readonly string[] } = {},
): RowValues {
  const has = (name: string) => known.has(name)
  const around = { head, pictures, decimal, has }
  const { values: own = [], images = [] } = system.values?.(said, around) ?? {}
  const values: FieldValue[] = []
  const taken = new Map<string, string>()
  const add = (field: string, text: string, name?: string): boolean => {
    const key = name === undefined ? field : `${field} ${name}`
    if (taken.has(key)) return taken.get(key) === text
    taken.set(key, text)
    values.push(
      name === undefined
        ? [field, field === 'id' ? cut(text, limits.idLength) : text]
        : [field, spareText(text), cut(name, limits.nameLength)],
    )
    return true
  }
  const others: [string, string][] = []
  for (const [field, text, name] of own) {
    if (name !== undefined && field === 'attribute') others.push([name, text])
    else add(field, text, name)
  }
  const answered = new Set(taken.keys())
  for (const [name, field] of fields) {
    const text = said[name]
    // A second text for a field is something that the product has all the same.
    if (!text || answered.has(field) || add(field, text)) continue
    if (spare.length === 0 || field === 'id') continue
    const isProse = field === 'description'
    others.push([called.get(name) ?? name, isProse ? htmlAsText(text) : text])
  }
  for (const name of spare) if (said[name]) others.push([name, said[name]])
  const isTold = own.some(([field]) => field === 'option')
  const hasGroups = taken.has('groupId') && !isTold
  for (const [name, text] of others) {
    const isOption = taken.has(`option ${name}`)
    if (!isOption) add(ownField(name, hasGroups), text, name)
  }
  return images.length > 0
    ? { values, images: images.slice(0, limits.productListEntries) }
    : { values }
}
