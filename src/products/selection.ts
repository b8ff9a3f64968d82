import type { z } from 'zod'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { suggestionText } from '../platform/known-fields.ts'
import { unwrapped } from '../platform/unwrapped-schema.ts'
import { shownName } from '../platform/validation-problem.ts'
import { Exacts, Flag } from '../shapes.ts'
import { emptyProduct } from './next-document.ts'
import type { Product } from './product.ts'
import { type ViewableDocument, viewSource } from './view.ts'

/** The request fields that select what is returned of each product. */
export const SelectionShape = {
  fields: Exacts(limits.fieldPathLength, limits.selectedFields).describe(
    'Members to return for each product, such as `name`, `vendors.cost` or `attributes.Colour`. `id` is always returned. Defaults to all members, also if empty.',
  ),
  compact: Flag(false).describe(
    'Whether to omit members of a product that are null or empty. Defaults to `false`.',
  ),
}

/** Members of a product, each with its nested ones; `any` if the product defines their names. */
export type SelectableFields = ReadonlyMap<string, readonly string[] | 'any'>

/** The selected part of products; all of them if `fields` is null. */
export interface Selection {
  /** Nested members to show by member; null for all. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string> | null> | null
  readonly compact: boolean
}

/** The members of answers with this schema. */
export const selectableFields = ({ shape }: z.ZodObject): SelectableFields =>
  new Map(Object.entries(shape).map(([name, member]) => [name, innerFields(member)]))

function innerFields(schema: z.core.$ZodType): readonly string[] | 'any' {
  const { def } = unwrapped(schema)._zod
  switch (def.type) {
    case 'array':
      return innerFields(def.element)
    case 'object':
      return Object.keys(def.shape)
    case 'record':
      return 'any'
    default:
      return []
  }
}

/** The selection of a request; null if nothing is left out. Throws Invalid for unknown members. */
export function selectionOf(
  { fields, compact }: z.output<z.ZodObject<typeof SelectionShape>>,
  known: SelectableFields,
): Selection | null {
  if (fields.length === 0) return compact ? { fields: null, compact } : null
  const selected = new Map<string, Set<string> | null>([['id', null]])
  for (const [at, path] of fields.entries()) {
    const dot = path.indexOf('.')
    const name = dot < 0 ? path : path.slice(0, dot)
    const inner = dot < 0 ? null : path.slice(dot + 1)
    const inside = known.get(name)
    const isKnown = inside && (inner === null || inside === 'any' || inside.includes(inner))
    if (!isKnown) throw new Invalid(`fields[${at}]: ${unknownText(path, name, known)}`)
    const before = selected.get(name)
    if (inner === null || before === null) selected.set(name, null)
    else selected.set(name, new Set([...(before ?? []), inner]))
  }
  return { fields: selected, compact }
}

function unknownText(path: string, name: string, known: SelectableFields): string {
  const inside = known.get(name)
  const names = inside
    ? [...inside].map((inner) => `${name}.${inner}`)
    : [...known.keys(), ...pathsIn(known)]
  return `unknown field "${shownName(path)}"; ${suggestionText(path, names)}`
}

const pathsIn = (known: SelectableFields): string[] =>
  [...known].flatMap(([name, inside]) =>
    inside === 'any' ? [] : inside.map((inner) => `${name}.${inner}`),
  )

/** The selected part of a product. Members keep their order. */
export function selected<P extends { readonly id: string }>(
  product: P,
  selection: Selection | null,
): P {
  if (!selection) return product
  const { fields, compact } = selection
  const shown = Object.entries(product).flatMap(([name, value]) => {
    const inner = fields ? fields.get(name) : null
    if (inner === undefined) return []
    return [[name, inner === null ? value : insideOf(value, inner)] as const]
  })
  return (compact ? compacted(Object.fromEntries(shown)) : Object.fromEntries(shown)) as P
}

function insideOf(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => insideOf(one, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)))
}

/** Removes members that are null or empty. Entries of lists are kept. */
function compacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compacted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, compacted(member)] as const)
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)))
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value as object).length === 0)

/** The annotations that each member of a product shows. */
const ANNOTATED: Readonly<Record<string, readonly string[]>> = {
  images: ['images'],
  links: ['links'],
  notes: ['notes'],
  extensionFields: ['extensionFields'],
  favorite: ['favorite', 'favoriteUsers'],
  tags: ['tags'],
  userTags: ['userTags'],
}

/** Members that show the URLs of fetched pictures. */
const PICTURED: ReadonlySet<string> = new Set(['image', 'imageSource', 'images'])

/** Fields that every search needs of its hits. */
const ALWAYS = ['id', 'groupId', 'options']

/** `_source` paths for a selection. `more` lists additional paths within the product. */
export function sourceOf(
  organization: string,
  selection: Selection | null,
  more: readonly string[] = [],
): string[] {
  if (!selection?.fields) return viewSource(organization)
  const shown = [...selection.fields].flatMap(([name, inner]) => pathsOf(name, inner))
  const names = [...selection.fields.keys()]
  const added = names.flatMap((name) => ANNOTATED[name] ?? [])
  const isPictured = names.some((name) => PICTURED.has(name))
  const paths = [
    ...[...ALWAYS, ...more, ...shown].map((path) => `product.${path}`),
    ...added.map((part) => `annotations.${organization}.${part}`),
    ...(isPictured ? ['pictures', 'product.image'] : []),
  ]
  return [...new Set(paths)].sort()
}

/** Reads only selected fields of offers, which may be hundreds. The name keeps their number. */
const pathsOf = (name: string, inner: ReadonlySet<string> | null): string[] =>
  name === 'vendors' && inner ? ['vendorName', ...inner].map((one) => `${name}.${one}`) : [name]

const NOTHING = emptyProduct({ id: '', catalog: '', actor: '', now: new Date(0) })

/** A partly read document, with empty values for the rest. */
export const withEmptyFields = (document: ViewableDocument): ViewableDocument => ({
  ...document,
  product: { ...NOTHING, ...(document.product as Partial<Product>) },
})
