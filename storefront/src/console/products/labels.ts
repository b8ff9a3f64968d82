/** What the fields of a product are called, by their names in the interface. */
const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  manufacturer: 'Manufacturer',
  manufacturerPartNumber: 'Manufacturer part number',
  segment: 'Segment',
  category: 'Category',
  subCategory: 'Subcategory',
  unspsc: 'UNSPSC code',
  image: 'Image URL',
  images: 'Additional images',
  groupId: 'Variant group ID',
  msrp: 'List price',
  upcs: 'EAN, UPC, GTIN',
  vendors: 'Offers',
  facets: 'Facets',
  attributes: 'Attributes',
  filters: 'Numeric attributes',
  options: 'Variant options',
  hidden: 'Hidden from shoppers',
}

/** What a field is called; its own name where it has no other. */
export const labelOf = (field: string): string =>
  Object.hasOwn(LABELS, field) ? LABELS[field]! : field
