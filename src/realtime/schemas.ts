import { z } from 'zod'
import { RealtimeResponse, RealtimeVendor } from '../extensions/schemas.ts'

const checkedAt = z.iso
  .datetime()
  .optional()
  .describe("Time of the vendor's answer. Omitted if the vendor did not answer.")

/** RealtimeAllResponse with the catalog of each product. */
export const RealtimeAllAnswer = z
  .object({
    items: z
      .array(
        z.object({
          id: z.string().describe('Id of the product.'),
          catalog: z.string(),
          vendors: z
            .array(RealtimeVendor.extend({ checkedAt }))
            .describe('Answers of the vendors. Empty if the product does not exist.'),
        }),
      )
      .describe('One item per product, in request order.'),
  })
  .meta({ id: 'RealtimeAllAnswer', description: 'The answers of all vendors, by product.' })
export type RealtimeAllAnswer = z.infer<typeof RealtimeAllAnswer>

/** RealtimeResponse: one item for each product, in their order. */
export const RealtimeAnswer = RealtimeResponse.extend({
  items: z
    .array(
      RealtimeResponse.shape.items.element.extend({
        id: z.string().describe('Id of the product.'),
        catalog: z.string(),
        checkedAt,
      }),
    )
    .describe('One item per product, in request order.'),
}).meta({ id: 'RealtimeAnswer', description: 'The answers of the vendor, by product.' })
export type RealtimeAnswer = z.infer<typeof RealtimeAnswer>
