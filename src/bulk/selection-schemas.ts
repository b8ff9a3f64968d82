import { z } from 'zod'
import { limits } from '../limits.ts'
import { ProductBody } from '../products/schemas.ts'
import { SearchRequest } from '../search/request-schemas.ts'
import { NullableText, OptionalText } from '../shapes.ts'

const search = SearchRequest.describe(
  'A search, as for Search. It is rejected if Search would drop or correct any of its words. Paging, sorting and grouping have no effect.',
)
const token = OptionalText(limits.nameLength).describe(
  'Token from the preview of the same request, which stands for the request and the products it found. Omit it to get a preview, which changes nothing.',
)

export const DeleteRequest = z.object({ search, token })

const ProductChange = ProductBody.omit({ id: true, vendors: true, upcs: true })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'send at least one field',
  })
  .meta({ id: 'ProductChange' })

export const UpdateRequest = z.object({
  search,
  product: ProductChange.describe(
    'The fields to change, as for Update Product. Only fields that all products can share are allowed.',
  ),
  token,
})

export const SelectionResponse = z
  .object({
    success: z.boolean(),
    message: z.string().describe('What was found or queued.'),
    taskId: NullableText.describe(
      'Id of the task that does the work, for use with Get Task. `null` in a preview.',
    ),
    total: z.int().describe('Number of products affected.'),
    sample: z
      .array(
        z.object({
          id: z.string().describe('Id of the product.'),
          name: NullableText,
          manufacturer: NullableText,
          manufacturerPartNumber: NullableText.describe('Part number of the manufacturer.'),
        }),
      )
      .describe(
        `The first ${limits.selectionSample} products, sorted by id. Empty once the task is queued.`,
      ),
    token: NullableText.describe(
      'Token to send with the same request to queue the task. `null` once the task is queued.',
    ),
  })
  .meta({
    id: 'SelectionResponse',
    description: 'A preview of the affected products, or the queued task.',
  })
export type SelectionResponse = z.output<typeof SelectionResponse>
