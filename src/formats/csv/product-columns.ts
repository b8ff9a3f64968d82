import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Offer } from '../../products/product.ts'
import type { ProductView } from '../../products/view.ts'
import type { ProductNames } from '../file-writer.ts'
import type { NamedField } from '../rows/fields.ts'
import {
  PRODUCT_FIELDS,
  type ProductField,
  VENDOR_FIELDS,
  type VendorField,
} from '../rows/fields.ts'

export type CellValue = string | number | boolean | readonly string[] | null | undefined

/** A column of a csv file, with the heading by which an import recognizes it. */
export interface ProductColumn {
  readonly heading: string
  readonly ofOffer: boolean
  readonly value: (product: ProductView, offer: Offer | null) => CellValue
}

const productColumn = (field: ProductField): ProductColumn => ({
  heading: field,
  ofOffer: false,
  value: (product) => (field === 'images' ? imagesOf(product) : product[field]),
})

/** Without custom images, which are annotations and would be imported as catalog data. */
const imagesOf = ({ images }: ProductView) =>
  images.filter(({ isCustom }) => !isCustom).map(({ url }) => url)

const vendorColumn = (field: VendorField): ProductColumn => ({
  heading: `vendor.${field}`,
  ofOffer: true,
  value: (_, offer) => offer?.[field],
})

const namedColumn = (kind: NamedField, name: string): ProductColumn => ({
  heading: `${kind}:${name}`,
  ofOffer: false,
  value: (product) => {
    const values = product[`${kind}s` as const] ?? {}
    return Object.hasOwn(values, name) ? values[name] : null
  },
})

/** Columns that every product may have, in the default order. */
export const FIXED: readonly ProductColumn[] = [
  ...(Object.keys(PRODUCT_FIELDS) as ProductField[]).map(productColumn),
  ...(Object.keys(VENDOR_FIELDS) as VendorField[]).map(vendorColumn),
]

const BY_HEADING = new Map(FIXED.map((column) => [column.heading, column]))
const NAMED_HEADING = /^(attribute|facet|filter|option):\s*(.+)$/s

function columnOf(heading: string): ProductColumn {
  const named = NAMED_HEADING.exec(heading)
  const column = named ? namedColumn(named[1] as NamedField, named[2]!) : BY_HEADING.get(heading)
  if (column) return column
  const known = FIXED.map((one) => one.heading).join(', ')
  throw new Invalid(
    `columns: ${JSON.stringify(heading.slice(0, 60))} is not one of ${known}, attribute:<name>, facet:<name>, filter:<name>, option:<name>`,
  )
}

/** The columns with these headings, each once. Throws Invalid for an unknown one. */
export function columnsOf(headings: readonly string[]): ProductColumn[] {
  // `facet: Color` and `facet:Color` are the same column.
  const columns = [
    ...new Map(headings.map(columnOf).map((column) => [column.heading, column])).values(),
  ]
  if (columns.length <= limits.importColumns) return columns
  throw new Invalid(`columns: more than ${limits.importColumns}`)
}

/** Parses headings separated by commas or line ends, or in a JSON array if a name has a comma. */
export function headingsIn(text: string): string[] {
  const list = text.trimStart().startsWith('[') ? parsedList(text) : text.split(/[,\n]/)
  return list.map((heading) => heading.trim()).filter((heading) => heading !== '')
}

function parsedList(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  } catch {
    // Reported below.
  }
  throw new Invalid('columns: expected names separated by commas, or a JSON array of names')
}

/** Default headings: the fixed ones, facets and filters, and those of variants if there are any. */
export const defaultHeadings = ({
  facets,
  filters,
  variants,
}: Omit<ProductNames, 'attributes'>): string[] => [
  ...FIXED.map(({ heading }) => heading).filter((heading) => heading !== 'groupId'),
  ...(variants ? ['groupId', ...variants.options.map((name) => `option:${name}`)] : []),
  ...facets.map((name) => `facet:${name}`),
  ...filters.map((name) => `filter:${name}`),
]
