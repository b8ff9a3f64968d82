import { z } from 'zod'
import { EXTENSION_KINDS } from '../extensions/contract.ts'
import { FieldDefinition } from '../extensions/fields.ts'
import { LEVELS } from '../extensions/installation.ts'
import { limits } from '../limits.ts'
import { CatalogName, OptionalText, PatchText } from '../shapes.ts'

/** Texts by field; null and an empty one clear. */
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

const Mapping = z.object({
  column: z
    .number()
    .int()
    .min(0)
    .max(limits.importColumns - 1),
  field: z.string().trim().min(1).max(limits.nameLength),
  attribute: OptionalText(limits.nameLength),
})

const catalogName = z
  .union([CatalogName, z.literal('')])
  .nullish()
  .transform((name) => (name === undefined ? undefined : name || null))

/**
 * ExtensionInstallRequest (interface: Extension shapes). `enabled`, `catalogFilter`, `timezone`,
 * `useLinkedItems` and `allowPrice` are additions. What an update does not name stays.
 */
export const ExtensionInstallRequest = z
  .object({
    additionalData: GivenValues,
    vendor: PatchText(limits.nameLength),
    catalog: catalogName,
    extensionLevel: z
      .enum([...LEVELS, ''], `must be one of ${LEVELS.join(', ')}`)
      .nullish()
      .transform((level) => level || undefined),
    extensionNickname: PatchText(limits.nameLength),
    schedule: PatchText(limits.nameLength),
    timezone: PatchText(limits.nameLength),
    mappings: z.array(Mapping).max(limits.importColumns).nullish(),
    enabled: z.boolean().nullish(),
    catalogFilter: z.array(CatalogName).max(limits.organizationCatalogs).nullish(),
    useLinkedItems: z.boolean().nullish(),
    allowPrice: z.boolean().nullish(),
  })
  .meta({ id: 'ExtensionInstallRequest' })
export type ExtensionInstallRequest = z.output<typeof ExtensionInstallRequest>

const text = z.string().nullable()
const kind = z.enum(EXTENSION_KINDS)

/** Extension (interface: Extension shapes). */
export const AvailableExtension = z
  .object({
    id: z.string(),
    category: kind,
    name: z.string(),
    description: text,
    configUrl: text,
    statusMessage: text,
    image: text,
    ready: z.boolean(),
    hasValidation: z.boolean(),
    allowAdHocItems: z.boolean(),
    hasSampleLoad: z.boolean(),
    additionalData: z.array(FieldDefinition),
    mapToVendor: z.boolean(),
  })
  .meta({ id: 'Extension' })
export type AvailableExtension = z.infer<typeof AvailableExtension>
export const AvailableExtensions = z.array(AvailableExtension)

/**
 * Installed extension (interface: Extension shapes); what follows `additionalData` is added. A
 * value stands as the `defaultValue` of its field; of a protected one null.
 */
export const InstalledExtension = z
  .object({
    id: z.string(),
    source: z.enum(['built-in', 'remote']),
    name: z.string(),
    description: text,
    extensionType: kind,
    vendor: text,
    nickname: text,
    link: text,
    enabled: z.boolean(),
    catalogFilter: z.array(z.string()),
    useLinkedItems: z.boolean(),
    allowAdHocItems: z.boolean(),
    allowPrice: z.boolean(),
    sharedData: z.array(FieldDefinition),
    additionalData: z.array(FieldDefinition),
    extension: z.string(),
    organization: z.string(),
    extensionLevel: z.enum(LEVELS),
    catalog: text,
    schedule: text,
    timezone: text,
    nextRun: z.iso.datetime().nullable(),
    mappings: z.array(z.object({ column: z.number(), field: z.string(), attribute: text })),
    ready: z.boolean(),
  })
  .meta({ id: 'InstalledExtension' })
export type InstalledExtension = z.infer<typeof InstalledExtension>
export const InstalledExtensions = z.array(InstalledExtension)

const outcome = { error: text, success: z.boolean() }

/** ExtensionValidationResponse; nothing was written. `preview`: of the first rows of an import. */
export const ExtensionValidationResponse = z
  .object({
    ...outcome,
    problems: z.array(z.object({ field: z.string(), message: z.string() })),
    preview: z
      .object({
        created: z.number(),
        updated: z.number(),
        unchanged: z.number(),
        rejected: z.number(),
        rejects: z.array(z.object({ line: z.number(), reason: z.string() })),
      })
      .optional(),
  })
  .meta({ id: 'ExtensionValidationResponse' })
export type ExtensionValidationResponse = z.infer<typeof ExtensionValidationResponse>

const SampleFields = z
  .record(z.string().max(limits.nameLength), z.string().max(limits.fieldValueLength).nullable())
  .nullish()
  .transform((fields) => fields ?? {})

/** ImportSampleRequest (interface: Extension shapes). */
export const ImportSampleRequest = z
  .object({ additionalFields: SampleFields })
  .meta({ id: 'ImportSampleRequest' })

const fileText = OptionalText(limits.valueLength)
const flag = z.boolean().nullish()

/** ImportExtensionMappingSampleRequest: the same and the file fields of an ImportQueueRequest. */
export const ImportExtensionMappingSampleRequest = z
  .object({
    additionalFields: SampleFields,
    fileUrl: fileText,
    username: fileText,
    password: fileText,
    fileType: fileText,
    delimiter: z.string().max(8).nullish(),
    quoteChar: z.string().max(8).nullish(),
    header: flag,
    zipped: flag,
    zippedFile: fileText,
    sheet: fileText,
  })
  .meta({ id: 'ImportExtensionMappingSampleRequest' })

const columns = z.array(z.array(z.string()))

/** ImportSampleResponse (interface: Extension shapes). */
export const ImportSampleResponse = z
  .object({ ...outcome, columns })
  .meta({ id: 'ImportSampleResponse' })

/** ImportExtensionMappingSampleResponse: a column is its heading and then its first values. */
export const ImportExtensionMappingSampleResponse = z
  .object({
    ...outcome,
    columns,
    mappings: z.array(
      z.object({
        column: z.number(),
        field: z.string(),
        attribute: text,
        confidence: z.number(),
      }),
    ),
    detected: z
      .object({
        encoding: text,
        delimiter: text,
        quoteChar: text,
        header: z.boolean(),
        decimal: text,
      })
      .nullable(),
  })
  .meta({ id: 'ImportExtensionMappingSampleResponse' })

/** ExtensionLog (interface: Extension shapes), newest first. */
export const ExtensionLogs = z.object({
  items: z.array(
    z
      .object({
        extensionId: z.string(),
        extensionNickname: z.string(),
        message: z.string(),
        action: z.string(),
        username: z.string(),
        errorMessage: text,
        success: z.boolean(),
        timestamp: z.iso.datetime(),
        timeTaken: z.number(),
        productCount: z.number(),
        productsCreated: z.number(),
        productsSkipped: z.number(),
        productsUpdated: z.number(),
        recommendedProductCount: z.number(),
        potentialMatchProductCount: z.number(),
      })
      .meta({ id: 'ExtensionLog' }),
  ),
})
