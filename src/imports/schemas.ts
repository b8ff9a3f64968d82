import { z } from 'zod'
import { Mapping } from '../extensions/mapping.ts'
import { FILE_TYPES } from '../formats/registry.ts'
import { UNMAPPED } from '../formats/rows/column-uses.ts'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { Exact, Flag, ListOf, OneOf, OptionalText } from '../shapes.ts'

/** What happens to products that no vendor offers anymore. */
const MISSING = ['keep', 'hide', 'delete'] as const

/** What happens to pictures at other addresses. */
const PICTURES = ['keep', 'fetch'] as const

/** A delimiter or quote, not trimmed since it may be a tab. */
const Sign = Exact(8)

/**
 * ImportQueueRequest and ImportExtensionRequest. `username` and `password` are those of `fileUrl`.
 */
export const ImportRequest = allowIgnoredFields(
  z.object({
    extensionId: OptionalText(limits.idLength).describe(
      'Id of an installed import extension, whose stored values this request overrides. Defaults to `file`.',
    ),
    organization: OptionalText(limits.idLength).describe(
      'Id of the organization. If given, it must be that of the request.',
    ),
    targetCatalog: OptionalText(limits.catalogNameLength).describe(
      'Name of the catalog to import into. Defaults to the default catalog.',
    ),
    callbackUrl: OptionalText(limits.valueLength).describe(
      'URL to which a signed POST is sent when the import has ended.',
    ),
    fileUrl: OptionalText(limits.valueLength).describe(
      'URL of the file: the `url` returned by Upload File, or another http(s) address. Required unless an installed import is used.',
    ),
    username: OptionalText(limits.valueLength).describe(
      'User name for HTTP Basic authentication at an external `fileUrl`.',
    ),
    // Not trimmed, since spaces may be part of it.
    password: Exact(limits.valueLength).describe(
      'Password for `username`. It is stored encrypted and never returned.',
    ),
    fileType: OptionalText(limits.nameLength).describe(
      `Type of the file: ${FILE_TYPES.map((type) => `\`${type}\``).join(', ')}. Detected if omitted.`,
    ),
    delimiter: Sign.describe(
      'Delimiter of the cells: one ASCII character, or `tab`. Detected if omitted.',
    ),
    quoteChar: Sign.describe('Quote character, in ASCII. Defaults to a double quote.'),
    header: Flag(true).describe('Whether the first row contains headings. Defaults to `true`.'),
    zipped: Flag(false).describe('Not needed, since gzip and zip files are detected.'),
    zippedFile: OptionalText(limits.valueLength).describe(
      'Name of the entry to import from a zip archive. Not needed if the archive contains one file.',
    ),
    sheet: OptionalText(limits.nameLength).describe(
      'Name of the worksheet to import. Defaults to the first visible one.',
    ),
    fullFile: Flag(false).describe(
      "Whether the file contains all offers of `vendor`, which is then required. The vendor's offers of other products are removed. Defaults to `false`.",
    ),
    missing: OneOf(MISSING, 'keep').describe(
      'What happens to products whose last offer is removed by a `fullFile` import: `keep`, `hide` or `delete`. Hidden products reappear once a vendor offers them. Defaults to `keep`.',
    ),
    pictures: OneOf(PICTURES, 'keep').describe(
      '`keep` leaves images at their external addresses. `fetch` queues a task after the import that downloads those of the catalog, like Fetch Pictures. Defaults to `keep`.',
    ),
    createProducts: Flag(true).describe(
      'Whether rows for unknown products create them. If `false`, such rows are rejected. Defaults to `true`.',
    ),
    updateMetadata: Flag(true).describe(
      'Whether to update the catalog data of known products. If `false`, only their offers change. Defaults to `true`.',
    ),
    normalizeManufacturerName: Flag(false).describe(
      "Whether to unify the spellings of each manufacturer's name. Defaults to `false`.",
    ),
    vendor: OptionalText(limits.nameLength).describe(
      "Vendor of rows that name none. For rows with a price or stock, defaults to the catalog's `defaultVendor`, or to the organization under its own name.",
    ),
    mappings: ListOf(Mapping, limits.importColumns).describe(
      'Mappings of columns to fields. If omitted or empty, columns are matched by their headings.',
    ),
    unmapped: OneOf(UNMAPPED, null).describe(
      'What happens to columns that match no field: `attribute` (stored under the heading), `ignore` or `fail`. Defaults to `ignore` if there are `mappings`, otherwise to `attribute`.',
    ),
  }),
  ['apiKey'],
).meta({ id: 'ImportQueueRequest' })
export type ImportRequest = z.output<typeof ImportRequest>

export const PicturesRequest = z
  .object({
    refresh: Flag(false).describe(
      'Whether to check images that were downloaded before for changes. Defaults to `false`.',
    ),
  })
  .meta({ id: 'PicturesRequest' })
