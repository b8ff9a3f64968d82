import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { CatalogQuery, Exacts, Id, OptionalText, QueryCount } from '../shapes.ts'
import { WIDTHS } from './sizes.ts'

/** Unknown parameters are ignored, since pages may add some to bypass caches. */
export const ReadImageQuery = allowIgnoredFields(
  z.object({
    width: QueryCount(limits.imageSide, undefined).describe(
      `Width in pixels at which the image is shown. Returns the narrowest stored size (${WIDTHS.join(', ')}, as WebP) that is at least as wide, or the original if there is none. Omit it or set it to 0 to get the original.`,
    ),
  }),
  'any',
)

export const SaveImageQuery = CatalogQuery.extend({
  productId: Id.or(z.literal(''))
    .optional()
    .transform((id) => id || null)
    .describe(
      'Id of the product to which the image is added. If omitted, the image is stored without being added to a product.',
    ),
})

/** FileUploadRequest. The type is detected from the bytes of `file`, so `type` is ignored. */
export const FileUploadRequest = z.object({
  file: z
    .string()
    .nullish()
    .transform((text) => text ?? '')
    .describe('The bytes of the file, as base64 or as a data URL.'),
  fileName: OptionalText(limits.nameLength).describe(
    'Name of the file. For images, it is shown as the name of the image.',
  ),
  type: OptionalText(limits.nameLength).describe('Ignored. The type is detected from the bytes.'),
})

export const UploadAnswer = z
  .object({
    url: z.string().describe('URL of the stored file.'),
  })
  .describe('The stored file.')

export const ProductImagesPath = z.object({ productId: Id.describe('Id of the product.') })

/** Entries without an id are ignored. */
export const DeleteCustomImagesRequest = z.object({
  customImageIds: Exacts(limits.idLength, limits.imagesPerRequest).describe(
    'Ids of the images, as listed in `images` of the product. Unknown ids are skipped.',
  ),
})
