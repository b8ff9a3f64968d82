import { z } from 'zod'
import { limits } from '../limits.ts'
import { CatalogName, Id, OptionalText } from '../shapes.ts'

const OptionalCatalog = CatalogName.or(z.literal(''))
  .optional()
  .transform((name) => name || null)

export const SaveImageQuery = z.object({
  catalog: OptionalCatalog,
  productId: Id.or(z.literal(''))
    .optional()
    .transform((id) => id || null),
})

/** FileUploadRequest: the bytes of `file` say what it is, so `type` is not looked at. */
export const FileUploadRequest = z.object({
  file: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  fileName: OptionalText(limits.nameLength),
  type: OptionalText(limits.nameLength),
})

export const UploadAnswer = z.object({ url: z.string() })

export const ProductImagesPath = z.object({ productId: Id })
export const InCatalog = z.object({ catalog: OptionalCatalog })

/** Entries without an id are passed over. */
export const DeleteCustomImagesRequest = z.object({
  customImageIds: z
    .array(z.string().max(limits.idLength).nullable())
    .max(limits.imagesPerRequest)
    .nullish()
    .transform((ids) => (ids ?? []).filter((id) => id !== null && id !== '') as string[]),
})
