/** Labels of product fields by their names in the API. */
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

/** The label of a field; its own name if it has none. */
export const labelOf = (field: string): string =>
  Object.hasOwn(LABELS, field) ? LABELS[field]! : field
