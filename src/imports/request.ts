import type { CatalogScope } from '../catalogs/store.ts'
import { Invalid } from '../errors.ts'
import type { Vendors } from '../extensions/contract.ts'
import { headOf, type StoredBytes } from '../formats/bytes/stored-bytes.ts'
import { isZip, zipNames } from '../formats/bytes/zip.ts'
import type { Format, ReadingSettings } from '../formats/format.ts'
import { FILE_TYPES, formatOf, formatsOfName, recognisedFormat } from '../formats/registry.ts'
import type { MappedColumn } from '../formats/rows/fields.ts'
import { checkIdentity, columnsOf } from '../formats/rows/mapping.ts'
import type { Context } from '../operation.ts'
import { parseWith } from '../platform/validation-problem.ts'
import { ImportRequest } from './schemas.ts'
import type { FileSettings } from './settings.ts'

/** Boolean fields. */
const FLAGS = new Set(
  Object.entries(ImportRequest.shape).flatMap(([name, field]) =>
    field.safeParse(true).success ? [name] : [],
  ),
)

/** Converts booleans that are texts, as in an installation, to booleans as in a request. */
export const withBooleans = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) =>
      FLAGS.has(name) && (value === 'true' || value === 'false')
        ? [name, value === 'true']
        : [name, value],
    ),
  )

/** Parses a request whose values may be texts. Throws Invalid. */
export function requestFrom(given: Readonly<Record<string, unknown>>): ImportRequest {
  return parseWith(ImportRequest, withBooleans(given), 'request')
}

const TYPES = FILE_TYPES.join(', ')

/** The format that a request names. Throws Invalid. */
export function namedFormat(type: string): Format {
  const format = formatOf(type)
  if (format) return format
  throw new Invalid(`fileType: must be one of ${TYPES}`)
}

/**
 * The format that a request names, else that of the file's name, else of its bytes, else of the
 * name of its file in a zip archive. Throws Invalid.
 */
export async function formatFor(
  { fileType, zippedFile }: Pick<ImportRequest, 'fileType' | 'zippedFile'>,
  { name, stored }: { readonly name: string; readonly stored: StoredBytes | null },
): Promise<Format> {
  if (fileType !== null) return namedFormat(fileType)
  const [first, ...others] = formatsOfName(name)
  if (first && (others.length === 0 || !stored)) return first
  const format = (stored && (await recognisedFormat(stored, first && [first, ...others]))) ?? first
  const found = format ?? (stored && (await formatInside(stored, zippedFile)))
  if (found) return found
  throw new Invalid(`fileType: required; must be one of ${TYPES}`)
}

/** The format of the wanted file in a zip archive, or of its only one, if its name tells. */
async function formatInside(
  stored: StoredBytes,
  wanted: string | null,
): Promise<Format | undefined> {
  if (!isZip(await headOf(stored, 4))) return undefined
  const names = wanted === null ? await zipNames(stored) : [wanted]
  const formats = names.length === 1 ? formatsOfName(names[0]!) : []
  return formats.length === 1 ? formats[0] : undefined
}

const SPELLED: Readonly<Record<string, string>> = { '\\t': '\t', tab: '\t' }

/** A delimiter or quote of one character. Throws Invalid. */
function signOf(text: string, place: string): string {
  const sign = SPELLED[text.toLowerCase()] ?? text
  if (!/^[\t\x20-\x7e]$/.test(sign)) throw new Invalid(`${place}: must be one ASCII character`)
  return sign
}

/** The quote of a request. Throws Invalid. */
export const quoteOf = ({ quoteChar }: Pick<ImportRequest, 'quoteChar'>): string =>
  quoteChar === null ? '"' : signOf(quoteChar, 'quoteChar')

/** The delimiter (null: detected) and the quote. Throws Invalid. */
export function signsOf(
  { delimiter: between, quoteChar }: Pick<ImportRequest, 'delimiter' | 'quoteChar'>,
  format: Format | undefined,
): Pick<ReadingSettings, 'delimiter' | 'quote'> {
  const usual = format?.delimiter ?? null
  const delimiter = between === null ? usual : signOf(between, 'delimiter')
  const quote = quoteOf({ quoteChar })
  if (delimiter === quote) throw new Invalid('quoteChar: must differ from the delimiter')
  return { delimiter, quote }
}

/** The vendors whose offers an import may contain: its own, or all. */
export interface Bound {
  readonly vendors: Vendors
}

/** The vendor of prices without one: the catalog's, else the organization itself. */
export const fallbackVendorOf = (
  { organization }: Pick<Context, 'organization'>,
  { defaultVendor }: CatalogScope,
): string => defaultVendor ?? organization.name

interface ReadingBound extends Bound {
  /** Not used if only offers of a named vendor are accepted. */
  readonly fallbackVendor: string | null
}

/** The settings for reading rows of a file. Throws Invalid. */
export function readingOf(
  body: ImportRequest,
  format: Format,
  { vendors, fallbackVendor }: ReadingBound = { vendors: 'all', fallbackVendor: null },
): FileSettings {
  const fallback = vendors === 'all' || body.vendor === null ? fallbackVendor : null
  return {
    fileType: format.type,
    ...signsOf(body, format),
    header: body.header,
    entry: body.zippedFile,
    sheet: body.sheet,
    columns: columnsFor(body, format, body.vendor ?? fallback),
    unmapped: body.unmapped,
    vendor: body.vendor,
    fallbackVendor: fallback,
    vendors,
  }
}

function columnsFor(
  body: ImportRequest,
  { unmapped }: Format,
  vendor: string | null,
): readonly MappedColumn[] | null {
  if (unmapped !== undefined) {
    if (body.mappings.length === 0) return null
    throw new Invalid(`mappings: ${unmapped}`)
  }
  if (body.mappings.length > 0) {
    const columns = columnsOf(body.mappings)
    checkIdentity(columns, vendor)
    return columns
  }
  if (body.header) return null
  throw new Invalid('mappings: required for a file without a header row')
}
