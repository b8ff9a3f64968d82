import { Invalid } from '../../errors.ts'
import { optionalField } from '../../extensions/fields.ts'
import { csvText, escapeFormula } from '../../platform/csv-text.ts'
import type { Offer } from '../../products/product.ts'
import type { ProductView } from '../../products/view.ts'
import type { FieldOption, FileWriter, ProductNames } from '../file-writer.ts'
import {
  type CellValue,
  columnsOf,
  defaultHeadings,
  headingsIn,
  type ProductColumn,
} from './product-columns.ts'

/** Settings for writing a csv file. With null `headings`, those of the products are used. */
interface CsvSettings {
  readonly headings: readonly string[] | null
  readonly delimiter: string
  readonly byteOrderMark: boolean
}

const DELIMITERS: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t' }
const ENCODINGS = ['utf-8', 'utf-8-bom']
const MARK = '\ufeff'

/** Writes a table of products and offers, with headings that an import recognizes. */
export const csvWriter: FileWriter<CsvSettings> = {
  name: 'CSV file',
  description: 'Export products and offers as a table for spreadsheets.',
  mediaType: 'text/csv; charset=utf-8',
  fields: [
    optionalField('columns', 'Columns. Separated by commas. Default: all columns with values.', {
      hasOptions: true,
    }),
    optionalField('delimiter', 'Delimiter', { defaultValue: 'comma', hasOptions: true }),
    optionalField('encoding', 'Encoding. Some spreadsheets need a byte order mark.', {
      defaultValue: 'utf-8',
      hasOptions: true,
    }),
  ],
  settings({ columns, delimiter = 'comma', encoding = 'utf-8' }) {
    const sign = Object.entries(DELIMITERS).find(
      ([name, own]) => name === delimiter || own === delimiter,
    )
    if (!sign) throw new Invalid(`delimiter: must be one of ${Object.keys(DELIMITERS).join(', ')}`)
    if (!ENCODINGS.includes(encoding)) {
      throw new Invalid(`encoding: must be one of ${ENCODINGS.join(', ')}`)
    }
    const headings = columns === undefined ? [] : headingsIn(columns)
    columnsOf(headings)
    return {
      headings: headings.length === 0 ? null : headings,
      delimiter: sign[1],
      byteOrderMark: encoding === 'utf-8-bom',
    }
  },
  async options(field, names) {
    if (field === 'delimiter') return firstIsDefault(Object.keys(DELIMITERS))
    if (field === 'encoding') return firstIsDefault(ENCODINGS)
    return field === 'columns' ? columnOptions(await names()) : []
  },
  headings: async ({ headings }, names) => headings ?? defaultHeadings(await names()),
  open({ delimiter, byteOrderMark }, headings) {
    const columns = columnsOf(headings)
    const titles = columns.map(({ heading }) => escapeFormula(heading))
    return {
      head: `${byteOrderMark ? MARK : ''}${csvText(titles, delimiter)}`,
      write: (product) => productRows(product, columns, delimiter),
    }
  },
}

const firstIsDefault = (values: readonly string[]): FieldOption[] =>
  values.map((value, index) => ({ value, isDefault: index === 0 }))

const columnOptions = (names: ProductNames): FieldOption[] => [
  ...defaultHeadings(names).map((value) => ({ value, isDefault: true })),
  ...names.attributes.map((name) => ({ value: `attribute:${name}`, isDefault: false })),
]

const NO_OFFER: readonly (Offer | null)[] = [null]

/** One row per offer of a product, or one row if it has no offer. */
function* productRows(
  product: ProductView,
  columns: readonly ProductColumn[],
  delimiter: string,
): Generator<string> {
  const { vendors = [] } = product
  const aboutOffers = columns.some(({ ofOffer }) => ofOffer)
  const offers = aboutOffers && vendors.length > 0 ? vendors : NO_OFFER
  for (const offer of offers) {
    yield csvText(
      columns.map(({ value }) => cellOf(value(product, offer))),
      delimiter,
    )
  }
}

/** Escapes texts, since they may be formulas, unlike numbers. */
function cellOf(value: CellValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return escapeFormula(value)
  return typeof value === 'object' ? escapeFormula(value.join('|')) : String(value)
}
