import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { checkText } from '../../platform/input-checks.ts'

/** The type of a field's cells: text up to `max` characters, a number, yes or no, or a list. */
export type Field =
  | { readonly kind: 'text'; readonly max: number }
  | { readonly kind: 'number'; readonly min?: number; readonly isStock?: true }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'list'; readonly max: number; readonly hasAddresses?: true }

const text = (max: number): Field => ({ kind: 'text', max })
const name = text(limits.nameLength)

/** Fields of a product that a column can be mapped to. */
export const PRODUCT_FIELDS = {
  id: text(limits.idLength),
  name: text(limits.productNameLength),
  description: text(limits.valueLength),
  manufacturer: name,
  manufacturerPartNumber: name,
  image: text(limits.valueLength),
  unspsc: name,
  segment: name,
  category: name,
  subCategory: name,
  msrp: { kind: 'number', min: 0 },
  upcs: { kind: 'list', max: limits.nameLength },
  images: { kind: 'list', max: limits.valueLength, hasAddresses: true },
  groupId: name,
} as const satisfies Record<string, Field>
/** The fields above, and whether the row deletes its product. */
export const IMPORTED_PRODUCT_FIELDS = { ...PRODUCT_FIELDS, delete: { kind: 'boolean' } } as const
export type ProductField = keyof typeof PRODUCT_FIELDS
type ImportedProductField = keyof typeof IMPORTED_PRODUCT_FIELDS

/** Fields of an offer; a column is mapped to them as `vendor.<field>`. */
export const VENDOR_FIELDS = {
  vendorName: name,
  vendorPartNumber: name,
  name: text(limits.productNameLength),
  cost: { kind: 'number', min: 0 },
  onHand: { kind: 'number', isStock: true },
  inStock: { kind: 'boolean' },
  status: name,
} as const satisfies Record<string, Field>
/** The fields above, and those of a temporary price. */
export const IMPORTED_OFFER_FIELDS = {
  ...VENDOR_FIELDS,
  salePrice: { kind: 'number', min: 0 },
  saleFrom: name,
  saleUntil: name,
} as const satisfies Record<string, Field>
export type VendorField = keyof typeof VENDOR_FIELDS
type ImportedOfferField = keyof typeof IMPORTED_OFFER_FIELDS

/** Fields for named values; the mapping gives the name in `attribute`. */
export const NAMED_FIELDS = {
  attribute: text(limits.valueLength),
  facet: text(limits.valueLength),
  filter: { kind: 'number' },
  option: text(limits.valueLength),
} as const satisfies Record<string, Field>
export type NamedField = keyof typeof NAMED_FIELDS

/** The field that a column fills. */
export type FieldTarget =
  | { readonly to: 'product'; readonly field: ImportedProductField }
  | { readonly to: 'vendor'; readonly field: ImportedOfferField }
  | { readonly to: NamedField; readonly name: string }

/** A column by its index from 0, and the field that it fills. */
export interface MappedColumn {
  readonly index: number
  readonly target: FieldTarget
  /**
   * Set for a column without a known field. Values that do not fit are cut and never reject a row.
   */
  readonly spare?: true
}

export const fieldOf = (target: FieldTarget): Field => {
  if (target.to === 'product') return IMPORTED_PRODUCT_FIELDS[target.field]
  if (target.to === 'vendor') return IMPORTED_OFFER_FIELDS[target.field]
  return NAMED_FIELDS[target.to]
}

const PRICES = new Set(['vendor.cost', 'vendor.salePrice', 'msrp'])

/** Whether the field is an amount of money. */
export const isPrice = (target: FieldTarget): boolean => PRICES.has(targetName(target))

/** The name of a target in a mapping and in the reason of a rejected row. */
export function targetName(target: FieldTarget): string {
  if (target.to === 'product') return target.field
  if (target.to === 'vendor') return `vendor.${target.field}`
  return `${target.to} ${target.name}`
}

const isField = <T extends object>(fields: T, name: string): name is string & keyof T =>
  Object.hasOwn(fields, name)

/** The target that a mapping names; undefined for an unknown one. */
export function targetOf(field: string, attribute: string | null): FieldTarget | undefined {
  if (isField(IMPORTED_PRODUCT_FIELDS, field))
    return { to: 'product', field: field as ImportedProductField }
  const [group, name] = field.split(/\.(.*)/s)
  if (group === 'vendor' && name !== undefined && isField(IMPORTED_OFFER_FIELDS, name)) {
    return { to: 'vendor', field: name as ImportedOfferField }
  }
  if (isField(NAMED_FIELDS, field)) return { to: field as NamedField, name: attribute ?? '' }
  return undefined
}

/** The reason why a name is invalid, if it is. */
export function nameProblem(name: string): string | undefined {
  // It would change the prototype of the object that holds the names.
  if (name === '__proto__') return '__proto__ is not allowed as a name'
  if (name.length > limits.nameLength) {
    return `a name is longer than ${limits.nameLength} characters`
  }
  try {
    checkText(name, 'name')
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return error.message
    throw error
  }
}
