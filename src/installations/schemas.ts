import { z } from 'zod'
import { EXTENSION_KINDS, VENDORS } from '../extensions/contract.ts'
import { FieldDefinition } from '../extensions/fields.ts'
import { LEVELS } from '../extensions/installation.ts'
import { Mapping } from '../extensions/mapping.ts'
import { Preview, Problem } from '../extensions/trial-schemas.ts'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { CatalogName, PatchText, withDescriptionsOf } from '../shapes.ts'

/** Values by field; null and an empty text clear. */
const GivenValues = z
  .record(z.string().max(limits.nameLength), z.string().max(limits.fieldValueLength).nullable())
  .nullish()
  .refine(
    (values) => Object.keys(values ?? {}).length <= limits.extensionFields,
    `more than ${limits.extensionFields} fields`,
  )
  .transform(
    (values): Readonly<Record<string, string | null>> =>
      Object.fromEntries(Object.entries(values ?? {}).map(([name, text]) => [name, text || null])),
  )

const catalogName = z
  .union([CatalogName, z.literal('')])
  .nullish()
  .transform((name) => (name === undefined ? undefined : name || null))

/**
 * ExtensionInstallRequest. `enabled`, `catalogFilter`, `timezone`, `useLinkedItems` and
 * `allowPrice` are additions. Fields that an update does not name stay.
 */
export const ExtensionInstallRequest = z
  .object({
    additionalData: GivenValues.describe('Values by field of the extension; null and empty clear.'),
    vendor: PatchText(limits.nameLength).describe(
      'Whose offers it brings or asks about; without one it stores no offers.',
    ),
    vendors: z
      .enum(VENDORS, `must be one of ${VENDORS.join(', ')}`)
      .nullish()
      .describe(
        '`one`: an import brings offers of `vendor` only, as in a new installation; `all`: of all vendors that its rows name.',
      ),
    catalog: catalogName.describe('Into which an import goes.'),
    extensionLevel: z
      .enum([...LEVELS, ''], `must be one of ${LEVELS.join(', ')}`)
      .nullish()
      .transform((level) => level || undefined)
      .describe('`user`: only who says so sees and runs it; `organization` in a new installation.'),
    extensionNickname: PatchText(limits.nameLength).describe('What to call it.'),
    schedule: PatchText(limits.nameLength).describe(
      'When an import runs by itself: five fields (minute, hour, day of month, month, day of week), at most every five minutes.',
    ),
    timezone: PatchText(limits.nameLength).describe(
      'Of the schedule, as `Europe/Berlin`; UTC when absent.',
    ),
    mappings: z
      .array(Mapping)
      .max(limits.importColumns)
      .nullish()
      .describe('What the columns of an import are; by their headings without any.'),
    enabled: z
      .boolean()
      .nullish()
      .describe('false keeps it from running; true in a new installation.'),
    catalogFilter: z
      .array(CatalogName)
      .max(limits.organizationCatalogs)
      .nullish()
      .describe('The catalogs that it is for; all when empty.'),
    useLinkedItems: z
      .boolean()
      .nullish()
      .describe('Kept and shown only; false in a new installation.'),
    allowPrice: z.boolean().nullish().describe('Kept and shown only; false in a new installation.'),
  })
  .meta({ id: 'ExtensionInstallRequest' })
export type ExtensionInstallRequest = z.output<typeof ExtensionInstallRequest>

/** Fields in the response for an installed extension besides those that can be changed. */
const INSTALLED = [
  'id',
  'source',
  'name',
  'description',
  'extensionType',
  'link',
  'allowAdHocItems',
  'sharedData',
  'extension',
  'organization',
  'nextRun',
  'ready',
]

/** The request for an installed extension, whose `extensionNickname` is returned as `nickname`. */
export const ExtensionUpdateRequest = allowIgnoredFields(
  ExtensionInstallRequest.extend({
    nickname: PatchText(limits.nameLength).describe('The same as `extensionNickname`.'),
  }),
  INSTALLED,
)
  .transform(({ nickname, extensionNickname = nickname, ...request }) => ({
    ...request,
    extensionNickname,
  }))
  .meta({ id: 'ExtensionUpdateRequest' })

const text = z.string().nullable()
const kind = z.enum(EXTENSION_KINDS)

/** Extension of the OpenAPI documents. */
export const AvailableExtension = z
  .object({
    id: z.string().describe('Names it in paths.'),
    category: kind,
    name: z.string(),
    description: text.describe('null: it says nothing.'),
    configUrl: text.describe('A page about its settings; null: none.'),
    statusMessage: text.describe('Always null.'),
    image: text.describe('Address of a picture; null: none.'),
    ready: z.boolean().describe('Always true.'),
    hasValidation: z.boolean().describe('Validate Extension asks it, too.'),
    allowAdHocItems: z.boolean().describe('As its manifest says; shown only.'),
    hasSampleLoad: z.boolean().describe('Get Import Sample shows what it would import.'),
    additionalData: z.array(FieldDefinition).describe('The fields that it asks for.'),
    mapToVendor: z.boolean().describe('An installation should name its `vendor`.'),
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
      .describe('Of the installation; of a built-in extension that is always there its own.'),
    source: z.enum(['built-in', 'remote']),
    name: z.string().describe('Of the extension.'),
    description: text.describe('null: it says nothing.'),
    extensionType: kind,
    vendor: text.describe('Whose offers it brings or asks about; null: it stores none.'),
    vendors: z
      .enum(VENDORS)
      .describe('`all`: an import brings offers of all vendors that its rows name.'),
    nickname: text.describe('What to call it; null: its `name`.'),
    link: text.describe('A page about its settings; null: none.'),
    enabled: z.boolean().describe('false: it does not run.'),
    catalogFilter: z.array(z.string()).describe('The catalogs that it is for; empty: all.'),
    useLinkedItems: z.boolean().describe('Kept and shown only.'),
    allowAdHocItems: z.boolean().describe('As its manifest says; shown only.'),
    allowPrice: z.boolean().describe('Kept and shown only.'),
    sharedData: z
      .array(FieldDefinition)
      .describe(
        'Fields whose values all extensions of the organization with the same `sharedKey` have.',
      ),
    additionalData: z
      .array(FieldDefinition)
      .describe('The other fields, with their values as `defaultValue`.'),
    extension: z.string().describe('The extension as Get Available Extensions lists it.'),
    organization: z.string().describe('Who installed it: the organization or its parent.'),
    extensionLevel: z.enum(LEVELS).describe('`user`: only who installed it sees and runs it.'),
    catalog: text.describe('Into which an import goes; null: the default catalog.'),
    schedule: text.describe('When it runs by itself: five fields, in `timezone`; null: never.'),
    timezone: text.describe('null: UTC.'),
    nextRun: z.iso.datetime().nullable().describe('When the schedule is due; null: it is not.'),
    mappings: z
      .array(
        z.object(
          withDescriptionsOf(Mapping.shape, {
            column: z.number(),
            field: z.string(),
            attribute: text,
          }),
        ),
      )
      .describe('Of the columns of an import; empty: by their headings.'),
    ready: z.boolean().describe('false: the extension is available no more.'),
  })
  .meta({ id: 'InstalledExtension' })
export type InstalledExtension = z.infer<typeof InstalledExtension>
export const InstalledExtensions = z
  .array(InstalledExtension)
  .describe('Extensions that the organization can run.')

export const outcome = {
  error: text.describe('What is wrong; null: nothing.'),
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
        'All that it would be refused for, or that the extension or the file says against it.',
      ),
    preview: Preview.optional().describe(
      `What an import of the first ${limits.trialRows} rows would do; absent where none was tried.`,
    ),
  })
  .meta({
    id: 'ExtensionValidationResponse',
    description: 'What installing would meet; nothing was written.',
  })
export type ExtensionValidationResponse = z.infer<typeof ExtensionValidationResponse>
