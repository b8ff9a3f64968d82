import { z } from 'zod'
import { RealtimeResponse, RealtimeVendor } from '../extensions/schemas.ts'

const checkedAt = z.iso
  .datetime()
  .optional()
  .describe('When the vendor said so; absent where it did not answer.')

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
            .describe('Empty where there is no such product.'),
        }),
      )
      .describe('One for each product, in their order.'),
  })
  .meta({ id: 'RealtimeAllAnswer', description: 'What each vendor says of each product.' })
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
    .describe('One for each product, in their order.'),
}).meta({ id: 'RealtimeAnswer', description: 'What the vendor says of each product.' })
export type RealtimeAnswer = z.infer<typeof RealtimeAnswer>
