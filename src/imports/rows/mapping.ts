import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { fold } from '../../text.ts'
import {
  ALIASES,
  type Column,
  NAMED_FIELDS,
  type NamedField,
  PRODUCT_FIELDS,
  type ProductField,
  type Target,
  targetName,
  VENDOR_FIELDS,
  type VendorField,
} from './fields.ts'

/** ImportExtensionMapping (interface: Extension shapes). */
export interface Mapping {
  readonly column: number
  readonly field: string
  readonly attribute: string | null
}

const isField = <T extends object>(fields: T, name: string): name is string & keyof T =>
  Object.hasOwn(fields, name)

/** The target that a mapping names; undefined for an unknown one. */
function targetOf(field: string, attribute: string | null): Target | undefined {
  if (isField(PRODUCT_FIELDS, field)) return { to: 'product', field: field as ProductField }
  const [group, name] = field.split(/\.(.*)/s)
  if (group === 'vendor' && name !== undefined && isField(VENDOR_FIELDS, name)) {
    return { to: 'vendor', field: name as VendorField }
  }
  if (isField(NAMED_FIELDS, field)) return { to: field as NamedField, name: attribute ?? '' }
  return undefined
}

/** It would change the object that holds the names. */
const FORBIDDEN = '__proto__'

const KNOWN = [
  ...Object.keys(PRODUCT_FIELDS),
  ...Object.keys(VENDOR_FIELDS).map((name) => `vendor.${name}`),
  ...Object.keys(NAMED_FIELDS),
].join(', ')

/** Checks the mappings of a request. Throws Invalid with the place. */
export function columnsOf(mappings: readonly Mapping[]): Column[] {
  const seen = new Set<string>()
  return mappings.map(({ column, field, attribute }, index) => {
    const target = targetOf(field, attribute)
    if (!target) throw new Invalid(`mappings[${index}].field: one of ${KNOWN}`)
    if ('name' in target && target.name === '') {
      throw new Invalid(`mappings[${index}].attribute: required, the name of the ${field}`)
    }
    if ('name' in target && target.name === FORBIDDEN) {
      throw new Invalid(`mappings[${index}].attribute: ${FORBIDDEN} is not allowed as a name`)
    }
    const name = targetName(target)
    if (seen.has(name)) throw new Invalid(`mappings[${index}].field: ${name} is mapped twice`)
    seen.add(name)
    return { index: column, target }
  })
}

/** What the columns of a header row fill, and what nothing is known about. */
export interface MatchedHeader {
  readonly columns: readonly Column[]
  /** Headings that no field is known for. */
  readonly unknown: readonly string[]
  /** Headings of a field that an earlier column fills already. */
  readonly repeated: readonly string[]
}

/** A heading without case, accents, spaces and punctuation. */
const heading = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]/gu, '')

const FIELD_NAMES = [
  ...Object.keys(VENDOR_FIELDS).map((name) => `vendor.${name}`),
  ...Object.keys(PRODUCT_FIELDS),
]

// Aliases win: "Vendor Name" is vendorName, and only "vendor.name" itself is vendor.name.
const BY_HEADING = new Map<string, string>([
  ...FIELD_NAMES.map((name): [string, string] => [heading(name), name]),
  ...Object.entries(ALIASES),
])

/** `facet: Color` and the like; the name keeps its spelling. */
const NAMED = /^\s*(attribute|facet|filter)\s*[:.]\s*(.+?)\s*$/is

function headingTarget(text: string): Target | undefined {
  const named = NAMED.exec(text)
  if (named && named[2]!.length <= limits.nameLength && named[2] !== FORBIDDEN) {
    return { to: named[1]!.toLowerCase() as NamedField, name: named[2]! }
  }
  const exact = text.trim()
  const field = FIELD_NAMES.includes(exact) ? exact : BY_HEADING.get(heading(text))
  return field === undefined ? undefined : targetOf(field, null)
}

/** Matches a header row by name: a field goes to the first column that is called after it. */
export function matchHeader(headings: readonly string[]): MatchedHeader {
  const columns: Column[] = []
  const unknown: string[] = []
  const repeated: string[] = []
  const seen = new Set<string>()
  for (const [index, text] of headings.entries()) {
    const target = headingTarget(text)
    if (!target) {
      if (text.trim() !== '') unknown.push(text.trim())
    } else if (seen.has(targetName(target))) {
      repeated.push(text.trim())
    } else {
      seen.add(targetName(target))
      columns.push({ index, target })
    }
  }
  return { columns, unknown, repeated }
}
