import { z } from 'zod'
import { EXTENSION_KINDS, VENDORS } from '../extensions/contract.ts'
import { FieldDefinition, FieldTexts } from '../extensions/fields.ts'
import { LEVELS } from '../extensions/installation.ts'
import { Mapping, ShownMapping } from '../extensions/mapping.ts'
import { Preview, Problem } from '../extensions/trial-schemas.ts'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { CatalogName, NullishBoolean, PatchCatalogName, PatchText } from '../shapes.ts'

/** Values by field; null and an empty text clear. */
const GivenValues = FieldTexts.transform(
  (values): Readonly<Record<string, string | null>> =>
    Object.fromEntries(Object.entries(values ?? {}).map(([name, text]) => [name, text || null])),
)

/**
 * ExtensionInstallRequest. `enabled`, `catalogFilter`, `timezone`, `useLinkedItems` and
 * `allowPrice` are additions. Fields that an update does not name stay.
 */
export const ExtensionInstallRequest = z
  .object({
    additionalData: GivenValues.describe('Values by field. `null` and empty values clear a field.'),
    vendor: PatchText(limits.nameLength).describe(
      'Vendor whose offers the extension imports or asks about. Without it, the extension stores no offers.',
    ),
    vendors: z
      .enum(VENDORS, `must be one of ${VENDORS.join(', ')}`)
      .nullish()
      .describe(
        '`one` limits an import to offers of `vendor`. `all` accepts offers of every vendor that its rows name. Defaults to `one` in a new installation.',
      ),
    catalog: PatchCatalogName.describe('Name of the catalog to import into.'),
    extensionLevel: z
      .enum([...LEVELS, ''], `must be one of ${LEVELS.join(', ')}`)
      .nullish()
      .transform((level) => level || undefined)
      .describe(
        '`user` makes the extension visible and runnable only for the user who sends it. Defaults to `organization` in a new installation.',
      ),
    extensionNickname: PatchText(limits.nameLength).describe('Display name of the installation.'),
    schedule: PatchText(limits.nameLength).describe(
      'Schedule of an import, as five cron fields: minute, hour, day of month, month and day of week. It can run every five minutes at most.',
    ),
    timezone: PatchText(limits.nameLength).describe(
      'Time zone of the schedule, such as `Europe/Berlin`. Defaults to UTC.',
    ),
    mappings: z
      .array(Mapping)
      .max(limits.importColumns)
      .nullish()
      .describe(
        "Mappings of an import's columns to fields. Without any, columns are matched by their headings.",
      ),
    enabled: NullishBoolean.describe(
      'Whether the extension can run. Defaults to `true` in a new installation.',
    ),
    catalogFilter: z
      .array(CatalogName)
      .max(limits.organizationCatalogs)
      .nullish()
      .describe('Names of the catalogs that the extension is limited to. Empty means all.'),
    useLinkedItems: NullishBoolean.describe(
      'Stored and returned without effect. Defaults to `false` in a new installation.',
    ),
    allowPrice: NullishBoolean.describe(
      'Stored and returned without effect. Defaults to `false` in a new installation.',
    ),
  })
  .meta({ id: 'ExtensionInstallRequest' })
export type ExtensionInstallRequest = z.output<typeof ExtensionInstallRequest>

const text = z.string().nullable()
const kind = z.enum(EXTENSION_KINDS)

/** Extension of the OpenAPI documents. */
export const AvailableExtension = z
  .object({
    id: z.string().describe('Id of the extension, as used in paths.'),
    category: kind,
    name: z.string(),
    description: text.describe('Description of the extension. `null` if it has none.'),
    configUrl: text.describe('URL of a page about its settings. `null` if there is none.'),
    statusMessage: text.describe('Always `null`.'),
    image: text.describe('URL of an image of the extension. `null` if there is none.'),
    ready: z.boolean().describe('Always `true`.'),
    hasValidation: z.boolean().describe('Whether Validate Extension also calls the extension.'),
    allowAdHocItems: z
      .boolean()
      .describe("Value from the extension's manifest, returned without effect."),
    hasSampleLoad: z
      .boolean()
      .describe('Whether Get Import Sample can show what the extension would import.'),
    additionalData: z.array(FieldDefinition).describe('Fields that the extension asks for.'),
    mapToVendor: z.boolean().describe('Whether an installation should name its `vendor`.'),
  })
  .meta({ id: 'Extension', description: 'An extension that can be installed.' })
export type AvailableExtension = z.infer<typeof AvailableExtension>
export const AvailableExtensions = z
  .array(AvailableExtension)
  .describe('Extensions that can be installed.')

/**
 * An installed extension. The fields after `additionalData` are additions. The value of a field is
 * its `defaultValue`, null for a protected field.
 */
export const InstalledExtension = z
  .object({
    id: z
      .string()
      .describe(
        'Id of the installation. For a built-in extension that needs no installation, the id of the extension.',
      ),
    source: z.enum(['built-in', 'remote']),
    name: z.string().describe('Name of the extension.'),
    description: text.describe('Description of the extension. `null` if it has none.'),
    extensionType: kind,
    vendor: text.describe(
      'Vendor whose offers the extension imports or asks about. If `null`, it stores no offers.',
    ),
    vendors: z
      .enum(VENDORS)
      .describe(
        '`one` limits an import to offers of `vendor`. `all` accepts offers of every vendor that its rows name.',
      ),
    nickname: text.describe('Display name of the installation. If `null`, `name` is used.'),
    link: text.describe('URL of a page about its settings. `null` if there is none.'),
    enabled: z.boolean().describe('Whether the extension can run.'),
    catalogFilter: z
      .array(z.string())
      .describe('Names of the catalogs that the extension is limited to. Empty means all.'),
    useLinkedItems: z.boolean().describe('Stored and returned without effect.'),
    allowAdHocItems: z
      .boolean()
      .describe("Value from the extension's manifest, returned without effect."),
    allowPrice: z.boolean().describe('Stored and returned without effect.'),
    sharedData: z
      .array(FieldDefinition)
      .describe(
        'Fields whose values are shared by all extensions of the organization with the same `sharedKey`.',
      ),
    additionalData: z
      .array(FieldDefinition)
      .describe('The other fields, with their values in `defaultValue`.'),
    extension: z.string().describe('The extension, as listed by Get Available Extensions.'),
    organization: z
      .string()
      .describe('Organization that installed the extension: this one or its parent.'),
    extensionLevel: z
      .enum(LEVELS)
      .describe('`user` means that only the user who installed the extension can see and run it.'),
    catalog: text.describe('Name of the catalog to import into. `null` means the default catalog.'),
    schedule: text.describe(
      'Schedule, as five cron fields in `timezone`. `null` if there is none.',
    ),
    timezone: text.describe('Time zone of the schedule. `null` means UTC.'),
    nextRun: z.iso
      .datetime()
      .nullable()
      .describe('Time of the next scheduled run. `null` if none is due.'),
    mappings: z
      .array(ShownMapping)
      .describe(
        "Mappings of an import's columns to fields. If empty, columns are matched by their headings.",
      ),
    ready: z.boolean().describe('Whether the extension is still available.'),
  })
  .meta({ id: 'InstalledExtension' })
export type InstalledExtension = z.infer<typeof InstalledExtension>

/** The request for an installed extension, whose `extensionNickname` is returned as `nickname`. */
export const ExtensionUpdateRequest = allowIgnoredFields(
  ExtensionInstallRequest.extend({
    nickname: PatchText(limits.nameLength).describe('Same as `extensionNickname`.'),
  }),
  Object.keys(InstalledExtension.shape),
)
  .transform(({ nickname, extensionNickname = nickname, ...request }) => ({
    ...request,
    extensionNickname,
  }))
  .meta({ id: 'ExtensionUpdateRequest' })

export const InstalledExtensions = z
  .array(InstalledExtension)
  .describe('Extensions that the organization can run.')

export const outcome = {
  error: text.describe('What is wrong. `null` if nothing is.'),
  success: z.boolean(),
}

/**
 * ExtensionValidationResponse. Nothing was written. `preview` covers the first rows of an import.
 */
export const ExtensionValidationResponse = z
  .object({
    ...outcome,
    problems: z
      .array(Problem)
      .describe(
        'All reasons for which an installation would be rejected, and all objections of the extension or the file.',
      ),
    preview: Preview.optional().describe(
      `What an import of the first ${limits.trialRows} rows would do. Omitted if no import was tried.`,
    ),
  })
  .meta({
    id: 'ExtensionValidationResponse',
    description: 'The result of a validation, which stores nothing.',
  })
export type ExtensionValidationResponse = z.infer<typeof ExtensionValidationResponse>
