import { Invalid } from '../errors.ts'
import type { Vendors } from '../extensions/contract.ts'
import { type Column, targetName } from '../formats/rows/fields.ts'
import { columnsOf } from '../formats/rows/mapping.ts'
import type { ImportRequest } from './schemas.ts'
import { FILE_TYPES, type FileType, type ImportInput, type ReadingSettings } from './settings.ts'

const ENDINGS: Readonly<Record<string, FileType>> = {
  csv: 'csv',
  txt: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xml: 'bmecat',
  bmecat: 'bmecat',
  cif: 'cif',
}

/** The type that a request names, else that of the file's name. Throws Invalid. */
export function fileTypeOf(named: string | null, fileName: string): FileType {
  const type = named?.toLowerCase()
  const given = FILE_TYPES.find((known) => known === type)
  if (given) return given
  const list = FILE_TYPES.join(', ')
  if (type !== undefined) throw new Invalid(`fileType: one of ${list}`)
  const ending = /\.([a-z]+)(?:\.gz|\.zip)?$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  if (Object.hasOwn(ENDINGS, ending)) return ENDINGS[ending]!
  throw new Invalid(`fileType: required, one of ${list}`)
}

const SPELLED: Readonly<Record<string, string>> = { '\\t': '\t', tab: '\t' }

/** One sign that divides cells. Throws Invalid. */
function signOf(text: string, place: string): string {
  const sign = SPELLED[text.toLowerCase()] ?? text
  if (!/^[\t\x20-\x7e]$/.test(sign)) throw new Invalid(`${place}: one ASCII character`)
  return sign
}

/** The signs between and around cells; a delimiter of null is found out. Throws Invalid. */
export function signsOf(
  { delimiter: between, quoteChar }: Pick<ImportRequest, 'delimiter' | 'quoteChar'>,
  fileType: string | null,
): Pick<ReadingSettings, 'delimiter' | 'quote'> {
  const usual = fileType?.toLowerCase() === 'tsv' ? '\t' : null
  const delimiter = between === null ? usual : signOf(between, 'delimiter')
  const quote = quoteChar === null ? '"' : signOf(quoteChar, 'quoteChar')
  if (delimiter === quote) throw new Invalid('quoteChar: the delimiter cannot quote')
  return { delimiter, quote }
}

/** Identities that a row needs one of. */
const IDENTITIES = [
  ['id'],
  ['manufacturer', 'manufacturerPartNumber'],
  ['vendor.vendorName', 'vendor.vendorPartNumber'],
  ['upcs'],
]

/** Whether rows with these columns can name their product at all. Throws Invalid. */
export function checkIdentity(columns: readonly Column[], vendor: string | null): void {
  const mapped = new Set(columns.map(({ target }) => targetName(target)))
  if (vendor !== null) mapped.add('vendor.vendorName')
  if (IDENTITIES.some((fields) => fields.every((field) => mapped.has(field)))) return
  throw new Invalid(
    'mappings: no column names the product; map id, or manufacturer and manufacturerPartNumber, or vendor.vendorName and vendor.vendorPartNumber, or upcs',
  )
}

/** Whose offers an import may bring: those of its vendor, or all. */
export interface Bound {
  readonly vendors: Vendors
}

interface SettingsParts<F> extends Bound {
  readonly catalog: string
  readonly file: F
}

/** Checks everything of a request that needs no look into the file. Throws Invalid. */
export function settingsOf<F extends { readonly name: string }>(
  body: ImportRequest,
  { catalog, file, vendors }: SettingsParts<F>,
): ImportInput<F> {
  const reading = readingOf(body, file.name, { vendors })
  if (body.fullFile && body.vendor === null) {
    throw new Invalid('vendor: required with fullFile, the vendor whose offers the file has all of')
  }
  return {
    ...reading,
    catalog,
    file,
    fullFile: body.fullFile,
    createProducts: body.createProducts,
    updateMetadata: body.updateMetadata,
    normalizeManufacturerName: body.normalizeManufacturerName,
  }
}

/** How the rows of a file are read. Throws Invalid. */
export function readingOf(
  body: ImportRequest,
  fileName: string,
  { vendors }: Bound = { vendors: 'all' },
): ReadingSettings {
  const fileType = fileTypeOf(body.fileType, fileName)
  return {
    fileType,
    ...signsOf(body, fileType),
    header: body.header,
    entry: body.zippedFile,
    sheet: body.sheet,
    columns: columnsFor(body, fileType),
    vendor: body.vendor,
    vendors,
  }
}

/** Why a file of this type has nothing to map. */
const UNMAPPED: Readonly<Partial<Record<FileType, string>>> = {
  jsonl: 'a jsonl file has no columns; a line is a product',
  bmecat: 'a BMEcat file has no columns; its elements have meanings of their own',
  cif: 'a CIF file has no columns to map; its fields have meanings of their own',
}

function columnsFor(body: ImportRequest, fileType: FileType): readonly Column[] | null {
  const unmapped = UNMAPPED[fileType]
  if (unmapped !== undefined) {
    if (body.mappings.length === 0) return null
    throw new Invalid(`mappings: ${unmapped}`)
  }
  if (body.mappings.length > 0) {
    const columns = columnsOf(body.mappings)
    checkIdentity(columns, body.vendor)
    return columns
  }
  if (body.header) return null
  throw new Invalid('mappings: required for a file without a header row')
}
