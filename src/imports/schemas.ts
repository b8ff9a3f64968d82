import { z } from 'zod'
import { limits } from '../limits.ts'
import { Flag, OptionalText } from '../shapes.ts'

/** A sign as it is: a tab must not be trimmed away. */
const Sign = z
  .string()
  .max(8)
  .nullish()
  .transform((text) => text || null)

/** As it is: spaces belong to it. */
const Password = z
  .string()
  .max(limits.valueLength)
  .nullish()
  .transform((text) => text || null)

/** ImportExtensionMapping (interface: Common shapes). */
const Mapping = z.object({
  column: z
    .number()
    .int()
    .min(0)
    .max(limits.importColumns - 1),
  field: z.string().trim().max(limits.nameLength),
  attribute: OptionalText(limits.nameLength),
})

/**
 * ImportQueueRequest and ImportExtensionRequest (interface: Extension shapes). `apiKey` is not
 * named here, so it is dropped unread. `username` and `password` are those of `fileUrl`.
 */
export const ImportRequest = z
  .object({
    extensionId: OptionalText(limits.idLength),
    organization: OptionalText(limits.idLength),
    targetCatalog: OptionalText(limits.catalogNameLength),
    callbackUrl: OptionalText(limits.valueLength),
    fileUrl: OptionalText(limits.valueLength),
    username: OptionalText(limits.valueLength),
    password: Password,
    fileType: OptionalText(limits.nameLength),
    delimiter: Sign,
    quoteChar: Sign,
    header: Flag(true),
    zipped: Flag(false),
    zippedFile: OptionalText(limits.valueLength),
    sheet: OptionalText(limits.nameLength),
    fullFile: Flag(false),
    createProducts: Flag(true),
    updateMetadata: Flag(true),
    normalizeManufacturerName: Flag(false),
    vendor: OptionalText(limits.nameLength),
    mappings: z
      .array(Mapping)
      .max(limits.importColumns)
      .nullish()
      .transform((mappings) => mappings ?? []),
  })
  .meta({ id: 'ImportQueueRequest' })
export type ImportRequest = z.output<typeof ImportRequest>
