import { z } from 'zod'
import { Mapping } from '../extensions/mapping.ts'
import { FILE_TYPES } from '../formats/registry.ts'
import { UNMAPPED } from '../formats/rows/column-uses.ts'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { Flag, OptionalText } from '../shapes.ts'

/** What happens to products that no vendor offers anymore. */
const MISSING = ['keep', 'hide', 'delete'] as const

/** What happens to pictures at other addresses. */
const PICTURES = ['keep', 'fetch'] as const

/** A delimiter or quote, not trimmed since it may be a tab. */
const Sign = z
  .string()
  .max(8)
  .nullish()
  .transform((text) => text || null)

/** Not trimmed, since spaces may be part of it. */
const Password = z
  .string()
  .max(limits.valueLength)
  .nullish()
  .transform((text) => text || null)

/**
 * ImportQueueRequest and ImportExtensionRequest. `username` and `password` are those of `fileUrl`.
 */
export const ImportRequest = allowIgnoredFields(
  z.object({
    extensionId: OptionalText(limits.idLength).describe(
      'An installed import, whose stored values this request goes before; `file` when absent.',
    ),
    organization: OptionalText(limits.idLength).describe('Where it is given, that of the request.'),
    targetCatalog: OptionalText(limits.catalogNameLength).describe(
      'Name of a catalog; the default catalog when absent.',
    ),
    callbackUrl: OptionalText(limits.valueLength).describe(
      'Told when the import has ended, by a signed POST.',
    ),
    fileUrl: OptionalText(limits.valueLength).describe(
      'Required without an installed import: the `url` that Upload File answered, or an http(s) address elsewhere.',
    ),
    username: OptionalText(limits.valueLength).describe(
      'Of a `fileUrl` elsewhere that asks for it (HTTP Basic).',
    ),
    password: Password.describe('Beside `username`; kept encrypted, never shown.'),
    fileType: OptionalText(limits.nameLength).describe(
      `${FILE_TYPES.map((type) => `\`${type}\``).join(', ')}; follows from the file when absent.`,
    ),
    delimiter: Sign.describe('One ASCII character, or `tab`; found out when absent.'),
    quoteChar: Sign.describe('One ASCII character; a double quote when absent.'),
    header: Flag(true).describe('The first row holds headings; true when absent.'),
    zipped: Flag(false).describe('Need not be said: gzip and zip are found out.'),
    zippedFile: OptionalText(limits.valueLength).describe(
      'Entry of a zip archive; not needed where it has one file.',
    ),
    sheet: OptionalText(limits.nameLength).describe(
      'Sheet of a workbook; the first visible one when absent.',
    ),
    fullFile: Flag(false).describe(
      'true: the file has all offers of `vendor`, which is required then; its offers of other products are removed.',
    ),
    missing: z
      .enum([...MISSING, ''])
      .nullish()
      .transform((missing) => missing || 'keep')
      .describe(
        'With `fullFile`: what becomes of products whose last offer is removed, `keep`, `hide` or `delete`; `keep` when absent. A hidden one is found again once somebody offers it.',
      ),
    pictures: z
      .enum([...PICTURES, ''])
      .nullish()
      .transform((pictures) => pictures || 'keep')
      .describe(
        '`keep`: products show pictures at their addresses; `fetch`: once the import is done, a task fetches those of the catalog as Fetch Pictures does. `keep` when absent.',
      ),
    createProducts: Flag(true).describe(
      'false: rows of unknown products are rejected; true when absent.',
    ),
    updateMetadata: Flag(true).describe(
      'false: of known products only offers change; true when absent.',
    ),
    normalizeManufacturerName: Flag(false).describe(
      'true: each manufacturer gets one name; false when absent.',
    ),
    vendor: OptionalText(limits.nameLength).describe(
      "Whose offers the rows are that do not say it; of rows with a price or stock the catalog's `defaultVendor` when absent, else the organization itself by its name.",
    ),
    mappings: z
      .array(Mapping)
      .max(limits.importColumns)
      .nullish()
      .transform((mappings) => mappings ?? [])
      .describe('What the columns are; by their headings when absent or empty.'),
    unmapped: z
      .enum([...UNMAPPED, ''])
      .nullish()
      .transform((unmapped) => unmapped || null)
      .describe(
        'What becomes of columns that no field is known for: `attribute` under their heading, `ignore`, or `fail`. When absent `attribute`, with `mappings` `ignore`.',
      ),
  }),
  ['apiKey'],
).meta({ id: 'ImportQueueRequest' })
export type ImportRequest = z.output<typeof ImportRequest>

export const PicturesRequest = z
  .object({
    refresh: Flag(false).describe(
      'true: servers are also asked whether pictures that were fetched before have changed; false when absent.',
    ),
  })
  .meta({ id: 'PicturesRequest' })
