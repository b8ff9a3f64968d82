/** Labels of the product fields that a column can be mapped to. */
export const PRODUCT_FIELDS: Readonly<Record<string, string>> = {
  id: 'ID or SKU',
  name: 'Name',
  description: 'Description',
  manufacturer: 'Manufacturer or brand',
  manufacturerPartNumber: 'Manufacturer part number',
  upcs: 'EAN, UPC, GTIN',
  segment: 'Segment (top level)',
  category: 'Category or path (A > B > C)',
  subCategory: 'Subcategory',
  unspsc: 'UNSPSC code',
  msrp: 'List price',
  image: 'Image',
  images: 'Additional images',
  groupId: 'Variant group ID',
  delete: 'Delete marker',
}

export const OFFER_FIELDS: Readonly<Record<string, string>> = {
  'vendor.cost': 'Price',
  'vendor.onHand': 'Stock',
  'vendor.inStock': 'In stock (yes/no)',
  'vendor.status': 'Offer status',
  'vendor.vendorName': 'Vendor',
  'vendor.vendorPartNumber': 'Vendor part number',
  'vendor.name': 'Vendor product name',
  'vendor.salePrice': 'Sale price',
  'vendor.saleFrom': 'Sale starts',
  'vendor.saleUntil': 'Sale ends',
}

/** Labels of the fields that need a name, such as attributes. */
export const NAMED_FIELDS: Readonly<Record<string, string>> = {
  attribute: 'Attribute (display)',
  facet: 'Facet (filter)',
  filter: 'Numeric attribute (range filter)',
  option: 'Variant option',
}

export const isNamed = (field: string): boolean => Object.hasOwn(NAMED_FIELDS, field)

/** The label of a field; its own name if it has none. */
export function labelOf(field: string, attribute: string | null): string {
  const all = { ...PRODUCT_FIELDS, ...OFFER_FIELDS, ...NAMED_FIELDS }
  const label = Object.hasOwn(all, field) ? all[field]! : field
  return attribute === null ? label : `${label.replace(/ \(.*/, '')} “${attribute}”`
}
