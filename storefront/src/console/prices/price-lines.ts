import { AisleError, type Input } from 'aisle-client'

export type PriceLine = Input<'writePrices'>['lines'][number]
export type Cells = readonly string[]

/** Accepted headings, in lower case without spaces and punctuation. */
const HEADINGS: Readonly<Record<string, keyof PriceLine>> = {
  id: 'id',
  sku: 'id',
  productid: 'id',
  manufacturer: 'manufacturer',
  manufacturerpartnumber: 'manufacturerPartNumber',
  mpn: 'manufacturerPartNumber',
  vendor: 'vendorName',
  vendorname: 'vendorName',
  vendorpartnumber: 'vendorPartNumber',
  upc: 'upc',
  ean: 'upc',
  gtin: 'upc',
  price: 'price',
  quantityfrom: 'quantityFrom',
  quantity: 'quantityFrom',
  validfrom: 'validFrom',
  validto: 'validTo',
}

/** Columns that a price file can have. */
export const COLUMNS = [
  'id',
  'manufacturer',
  'manufacturerPartNumber',
  'vendorName',
  'vendorPartNumber',
  'upc',
  'price',
  'quantityFrom',
  'validFrom',
  'validTo',
] as const satisfies readonly (keyof PriceLine)[]

/** A row that cannot be read as a price. */
export interface Refused {
  readonly line: number
  readonly why: string
}

export interface ReadPrices {
  readonly lines: readonly { readonly at: number; readonly line: PriceLine }[]
  readonly refused: readonly Refused[]
}

const plain = (heading: string): string => heading.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The delimiter of a price file: the most frequent one of tab, semicolon and comma in the first line. */
export function delimiterOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1)
  const often = (sign: string) => first.split(sign).length
  return ['\t', ';', ','].reduce((best, sign) => (often(sign) > often(best) ? sign : best))
}

/** Parses the rows of a price file, headings first. Throws AisleError for unknown or missing columns. */
export function pricesIn([headings = [], ...rows]: readonly Cells[]): ReadPrices {
  const fields = headings.map((heading) => {
    const name = plain(heading)
    if (Object.hasOwn(HEADINGS, name)) return HEADINGS[name]!
    throw new AisleError(
      400,
      `Unknown column “${heading}”. Supported columns: ${COLUMNS.join(', ')}.`,
    )
  })
  const twice = fields.find((field, at) => fields.indexOf(field) !== at)
  if (twice) throw new AisleError(400, `More than one column is ${twice}.`)
  if (!fields.includes('price')) throw new AisleError(400, 'The column “price” is missing.')
  const lines: { at: number; line: PriceLine }[] = []
  const refused: Refused[] = []
  for (const [index, cells] of rows.entries()) {
    const at = index + 2
    try {
      lines.push({ at, line: lineOf(fields, cells) })
    } catch (error) {
      refused.push({ line: at, why: (error as Error).message })
    }
  }
  return { lines, refused }
}

function lineOf(fields: readonly (keyof PriceLine)[], cells: Cells): PriceLine {
  const line: Partial<Record<keyof PriceLine, string | number>> = {}
  for (const [at, field] of fields.entries()) {
    const text = (cells[at] ?? '').trim()
    if (text === '') continue
    if (field === 'price' || field === 'quantityFrom') line[field] = numberIn(text, field)
    else if (field === 'validFrom' || field === 'validTo') line[field] = timeIn(text)
    else line[field] = text
  }
  if (line.price === undefined) throw new Error('price: is missing')
  return line as PriceLine
}

/** Accepts a decimal comma if there is no decimal point. */
function numberIn(text: string, field: string): number {
  const number = Number(/^\d+,\d{1,4}$/.test(text) ? text.replace(',', '.') : text)
  if (!Number.isFinite(number)) throw new Error(`${field}: “${text}” is not a number`)
  return number
}

/** A date without a time means midnight UTC. */
const timeIn = (text: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text
