import { limits } from '../../limits.ts'
import { cut, fold } from '../../text.ts'
import { isoDay } from '../rows/iso-day.ts'
import { BadRow } from '../rows/mapped-row.ts'
import { type FieldValue, NAMES_READ, pair, type RowValues } from '../rows/named-values.ts'
import { byFrequency } from '../rows/prices.ts'

/** What applies to all rows of a CIF file. */
export interface CifTerms {
  /** The fields of the file by their keys. */
  readonly keys: readonly string[]
  readonly currency: string | null
  /** `YYYY-MM-DD`. */
  readonly today: string
}

/** Fields filled by a CIF field without changes, by its name without case and spaces. */
const PLAIN: Readonly<Record<string, string>> = {
  supplierpartid: 'vendor.vendorPartNumber',
  unitprice: 'vendor.cost',
  marketprice: 'msrp',
  manufacturerpartid: 'manufacturerPartNumber',
  manufacturername: 'manufacturer',
  image: 'image',
}

/** CIF fields that become attributes, and the names of these. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  supplierpartauxiliaryid: 'Supplier part auxiliary ID',
  unitofmeasure: 'Unit of measure',
  unitsofmeasure: 'Unit of measure',
  leadtime: 'Lead time (days)',
}

const LINKS: Readonly<Record<string, string>> = {
  supplierurl: 'Supplier',
  manufacturerurl: 'Manufacturer',
}

/** CIF fields that are read in other ways. */
const OTHERS = new Set([
  ...['supplierid', 'itemdescription', 'shortname', 'spsccode', 'unspsc', 'unspsccode'],
  ...['classificationcodes', 'currency', 'effectivedate', 'expirationdate', 'delete', 'isdelete'],
  ...['parametricdata', 'parametricname', 'language'],
])

const has = (names: Readonly<Record<string, string>>, key: string) => Object.hasOwn(names, key)

export const keyOf = (field: string): string => fold(field).replace(/[^a-z]/g, '')

/** The names of fields that are not imported. */
export const unusedFields = (fields: readonly string[]): string[] =>
  fields.filter((field) => {
    const key = keyOf(field)
    return (
      key !== '' && ![PLAIN, ATTRIBUTES, LINKS].some((names) => has(names, key)) && !OTHERS.has(key)
    )
  })

/** The currency that most of these rows name, the first of equally frequent ones. */
export function commonCurrency(
  rows: readonly (readonly string[])[],
  keys: readonly string[],
): string | null {
  const at = keys.indexOf('currency')
  const codes = rows.map((cells) => (cells.length === keys.length ? currencyIn(cells[at]!) : ''))
  return byFrequency(codes.filter((code) => code !== ''))[0] ?? null
}

const currencyIn = (text: string): string => text.trim().toUpperCase()

/** The values of a row of a CIF file. Throws BadRow with the reason. */
export function cifValues(cells: readonly string[], terms: CifTerms): RowValues {
  const row = new Map<string, string>()
  for (const [at, key] of terms.keys.entries()) {
    const text = cells[at]?.trim() ?? ''
    if (text !== '' && !row.has(key)) row.set(key, text)
  }
  const said = (...keys: readonly string[]) => keys.map((key) => row.get(key)).find(Boolean) ?? ''
  const id = said('supplierpartid')
  if (/^(?:t|true|y|yes|1|d|delete)$/i.test(said('delete', 'isdelete'))) {
    return { values: [['vendor.vendorPartNumber', id], ...vendorOf(said)], action: 'withdraw' }
  }
  checkValid(said, terms)
  const links = [...row].flatMap(([key, url]): [string, string][] =>
    has(LINKS, key) && /^https?:\/\//i.test(url) ? [[LINKS[key]!, url]] : [],
  )
  return {
    values: [...plainValues(row), ...vendorOf(said), ...texts(said), ...parametric(said)],
    ...(links.length > 0 ? { links } : {}),
  }
}

type CellReader = (...keys: readonly string[]) => string

const vendorOf = (said: CellReader): FieldValue[] => pair('vendor.vendorName', said('supplierid'))

/** Throws BadRow for a row that is not valid today, or priced in another currency. */
function checkValid(said: CellReader, { currency, today }: CifTerms): void {
  const start = isoDay('Effective Date', said('effectivedate'))
  const end = isoDay('Expiration Date', said('expirationdate'))
  if (start > today) throw new BadRow(`Effective Date: valid only from ${start}`)
  if (end !== '' && end < today) throw new BadRow(`Expiration Date: expired on ${end}`)
  const own = currencyIn(said('currency'))
  if (currency !== null && own !== '' && own !== currency) {
    throw new BadRow(
      `Currency: the price is in ${own.slice(0, 10)}, but the file is in ${currency}`,
    )
  }
}

const plainValues = (row: ReadonlyMap<string, string>): FieldValue[] =>
  [...row].flatMap(([key, text]): FieldValue[] => {
    if (has(PLAIN, key)) return [[PLAIN[key]!, text]]
    return has(ATTRIBUTES, key)
      ? [['attribute', cut(text, limits.valueLength), ATTRIBUTES[key]!]]
      : []
  })

function texts(said: CellReader): FieldValue[] {
  const description = said('itemdescription')
  const name = said('shortname') || description
  return [
    ...pair('name', cut(name, limits.productNameLength)),
    ...pair('description', cut(description, limits.valueLength)),
    ...pair('unspsc', said('spsccode', 'unspsc', 'unspsccode') || unspscIn(said)),
  ]
}

/** `UNSPSC_V13=44103103;CUSTOM=1` */
function unspscIn(said: CellReader): string {
  for (const part of said('classificationcodes').split(/[;{}]/)) {
    const [name = '', code = ''] = part.split('=', 2)
    const digits = /^\d+/.exec(code.trim())
    if (/UNSPSC/i.test(name) && digits) return digits[0]
  }
  return ''
}

/** `{Colour=red;Size=M;}`; a value may be quoted. */
function parametric(said: CellReader): FieldValue[] {
  const values = new Map<string, string>()
  const type = said('parametricname')
  if (type !== '') values.set('Type', type)
  const body = said('parametricdata').replace(/^\{|\}$/g, '')
  for (const [name, text] of pairsIn(body)) {
    if (values.size === NAMES_READ) break
    if (text !== '' && !values.has(name)) values.set(name, text)
  }
  return [...values].map(([name, text]) => ['attribute', cut(text, limits.valueLength), name])
}

function* pairsIn(body: string): Generator<readonly [name: string, value: string]> {
  for (let at = 0; at < body.length; ) {
    const mark = firstOf(body, '=;', at)
    const name = body.slice(at, mark)
    at = mark + 1
    if (name === '' || body[mark] !== '=') continue
    const close = body[at] === '"' ? body.indexOf('"', at + 1) : -1
    const isQuoted = close !== -1 && (body[close + 1] ?? ';') === ';'
    const end = isQuoted ? close + 1 : firstOf(body, ';', at)
    yield [name.trim(), (isQuoted ? body.slice(at + 1, close) : body.slice(at, end)).trim()]
    at = end + 1
  }
}

/** The position of the first of these characters; the length of the text if there is none. */
function firstOf(text: string, characters: string, from: number): number {
  let at = from
  while (at < text.length && !characters.includes(text[at]!)) at++
  return at
}
