import {
  NAMED_FIELDS,
  type NamedField,
  PRODUCT_FIELDS,
  type ProductField,
  type Target,
  VENDOR_FIELDS,
  type VendorField,
} from './fields.ts'

const isField = <T extends object>(fields: T, name: string): name is string & keyof T =>
  Object.hasOwn(fields, name)

/** The target that a mapping names; undefined for an unknown one. */
export function targetOf(field: string, attribute: string | null): Target | undefined {
  if (isField(PRODUCT_FIELDS, field)) return { to: 'product', field: field as ProductField }
  const [group, name] = field.split(/\.(.*)/s)
  if (group === 'vendor' && name !== undefined && isField(VENDOR_FIELDS, name)) {
    return { to: 'vendor', field: name as VendorField }
  }
  if (isField(NAMED_FIELDS, field)) return { to: field as NamedField, name: attribute ?? '' }
  return undefined
}
