import type { BenchProduct } from './product.ts'

/** File formats that the products of an import can be written in. */
export const FORMATS = ['jsonl', 'csv'] as const
export type Format = (typeof FORMATS)[number]

/** A column of the csv file: its heading, and the function that reads its value from a product. */
const COLUMNS: readonly (readonly [string, (product: BenchProduct) => string | number])[] = [
  ...(['id', 'name', 'description', 'manufacturer', 'manufacturerPartNumber'] as const).map(plain),
  ...(['unspsc', 'segment', 'category', 'subCategory', 'msrp', 'upcs'] as const).map(plain),
  ...(['vendorName', 'vendorPartNumber', 'cost', 'onHand', 'status'] as const).map(
    (field) => [`vendor.${field}`, ({ vendors }: BenchProduct) => vendors[0]![field]] as const,
  ),
  ...(['Country of origin', 'Packing'] as const).map(
    (name) => [`attribute: ${name}`, ({ attributes }: BenchProduct) => attributes[name]] as const,
  ),
  ...['Colour', 'Material', 'Warranty'].map(
    (name) => [`facet: ${name}`, ({ facets }: BenchProduct) => facets[name] ?? ''] as const,
  ),
]

type PlainField = Exclude<keyof BenchProduct, 'vendors' | 'attributes' | 'filters' | 'facets'>

function plain(field: PlainField) {
  return [field, (product: BenchProduct) => String(product[field])] as const
}

/** The head of a file, before its products. */
export const headOf = (format: Format): string =>
  format === 'csv' ? `${COLUMNS.map(([heading]) => heading).join(',')}\n` : ''

/** A product as a line of a file with its line break; csv contains only the first offer. */
export function lineOf(format: Format, product: BenchProduct): string {
  if (format === 'jsonl') return `${JSON.stringify(product)}\n`
  return `${COLUMNS.map(([, of]) => quoted(String(of(product)))).join(',')}\n`
}

const quoted = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
