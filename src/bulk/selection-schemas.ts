import { z } from 'zod'
import { limits } from '../limits.ts'
import { ProductBody } from '../products/schemas.ts'
import { SearchRequest } from '../search/request-schemas.ts'
import { OptionalText } from '../shapes.ts'

const search = SearchRequest.describe(
  'As Search takes it, with words that Search neither drops nor corrects. Page, order and grouping say nothing here.',
)
const token = OptionalText(limits.nameLength).describe(
  'Of the answer without one, which only looks: it stands for this request and the products that it found.',
)

export const DeleteRequest = z.object({ search, token })

const ProductChange = ProductBody.omit({ id: true, vendors: true, upcs: true })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'name at least one field',
  })
  .meta({ id: 'ProductChange' })

export const UpdateRequest = z.object({
  search,
  product: ProductChange.describe(
    'The fields that change, as Update Product takes them: those that every product may have alike.',
  ),
  token,
})

export const SelectionResponse = z
  .object({
    success: z.boolean(),
    message: z.string().describe('What was found, or what is queued.'),
    taskId: z.string().nullable().describe('The task that does it, see Get Tasks; null of a look.'),
    total: z.int().describe('Products that it is about.'),
    sample: z
      .array(
        z.object({
          id: z.string().describe('Id of the product.'),
          name: z.string().nullable(),
          manufacturer: z.string().nullable(),
          manufacturerPartNumber: z
            .string()
            .nullable()
            .describe("The manufacturer's number of it."),
        }),
      )
      .describe(`The first ${limits.selectionSample}, by id; empty once it is queued.`),
    token: z
      .string()
      .nullable()
      .describe('What the request that does it sends; null once it is queued.'),
  })
  .meta({ id: 'SelectionResponse', description: 'What a request by a search is about.' })
export type SelectionResponse = z.output<typeof SelectionResponse>
