/** What a column can become, as people call it, by the name that a mapping takes. */
export const PRODUCT_FIELDS: Readonly<Record<string, string>> = {
  id: 'Id, SKU',
  name: 'Name',
  description: 'Description',
  manufacturer: 'Manufacturer, brand',
  manufacturerPartNumber: 'Manufacturer’s part number',
  upcs: 'EAN, UPC, GTIN',
  segment: 'Segment (uppermost level)',
  category: 'Category, or a path A > B > C',
  subCategory: 'Sub-category',
  unspsc: 'UNSPSC code',
  msrp: 'List price',
  image: 'Picture',
  images: 'Further pictures',
  groupId: 'Group of variants',
  delete: 'Deletes the product',
}

export const OFFER_FIELDS: Readonly<Record<string, string>> = {
  'vendor.cost': 'Price',
  'vendor.onHand': 'Stock',
  'vendor.inStock': 'In stock, yes or no',
  'vendor.status': 'Status of the offer',
  'vendor.vendorName': 'Vendor',
  'vendor.vendorPartNumber': 'Vendor’s part number',
  'vendor.name': 'Vendor’s name of the product',
  'vendor.salePrice': 'Sale price',
  'vendor.saleFrom': 'Sale from',
  'vendor.saleUntil': 'Sale until',
}

/** Those with a name of their own. */
export const NAMED_FIELDS: Readonly<Record<string, string>> = {
  attribute: 'Attribute (shown)',
  facet: 'Facet (filtered by)',
  filter: 'Number (a range)',
  option: 'Option of a variant',
}

export const isNamed = (field: string): boolean => Object.hasOwn(NAMED_FIELDS, field)

/** What a field is called; its own name where it has no other. */
export function labelOf(field: string, attribute: string | null): string {
  const all = { ...PRODUCT_FIELDS, ...OFFER_FIELDS, ...NAMED_FIELDS }
  const label = Object.hasOwn(all, field) ? all[field]! : field
  return attribute === null ? label : `${label.replace(/ \(.*/, '')} “${attribute}”`
}
