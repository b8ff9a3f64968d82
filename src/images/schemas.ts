import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { CatalogQuery, Id, OptionalText } from '../shapes.ts'
import { WIDTHS } from './sizes.ts'

/** Unknown parameters are ignored, since pages may add some to bypass caches. */
export const ReadImageQuery = allowIgnoredFields(
  z.object({
    width: z.coerce
      .number()
      .int()
      .min(0)
      .max(limits.imageSide)
      .default(0)
      .transform((width) => width || undefined)
      .describe(
        `Pixels that it will be shown in, across: of the sizes that are kept (${WIDTHS.join(', ')}, as WebP) the narrowest of at least that is answered, the picture itself where there is none, or when absent or 0.`,
      ),
  }),
  'any',
)

export const SaveImageQuery = CatalogQuery.extend({
  productId: Id.or(z.literal(''))
    .optional()
    .transform((id) => id || null)
    .describe('The product that shows it at once; without, nothing is attached.'),
})

/** FileUploadRequest. The type is detected from the bytes of `file`, so `type` is ignored. */
export const FileUploadRequest = z.object({
  file: z
    .string()
    .nullish()
    .transform((text) => text ?? '')
    .describe('The bytes as base64 or as a data URL.'),
  fileName: OptionalText(limits.nameLength).describe(
    'Name of the file; that of a picture is shown.',
  ),
  type: OptionalText(limits.nameLength).describe('Not looked at: the bytes say what it is.'),
})

export const UploadAnswer = z
  .object({
    url: z.string().describe('Address of the file that was kept.'),
  })
  .describe('The file is kept.')

export const ProductImagesPath = z.object({ productId: Id.describe('Id of the product.') })

/** Entries without an id are ignored. */
export const DeleteCustomImagesRequest = z.object({
  customImageIds: z
    .array(z.string().max(limits.idLength).nullable())
    .max(limits.imagesPerRequest)
    .nullish()
    .transform((ids) => (ids ?? []).filter((id) => id !== null && id !== '') as string[])
    .describe('Ids as `images` of the product has them; unknown ones are passed over.'),
})
