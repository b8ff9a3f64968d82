import { z } from 'zod'
import { RealtimeResponse, RealtimeVendor } from '../extensions/wire.ts'

/** When the vendor said so; absent where it did not answer. */
const checkedAt = z.iso.datetime().optional()

/** RealtimeAllResponse (interface: Extension shapes) with the catalog of each product. */
export const RealtimeAllAnswer = z
  .object({
    items: z.array(
      z.object({
        id: z.string(),
        catalog: z.string(),
        vendors: z.array(RealtimeVendor.extend({ checkedAt })),
      }),
    ),
  })
  .meta({ id: 'RealtimeAllAnswer' })
export type RealtimeAllAnswer = z.infer<typeof RealtimeAllAnswer>

/** RealtimeResponse (interface: Extension shapes): one item for each product, in their order. */
export const RealtimeAnswer = RealtimeResponse.extend({
  items: z.array(
    RealtimeResponse.shape.items.element.extend({
      id: z.string(),
      catalog: z.string(),
      checkedAt,
    }),
  ),
}).meta({ id: 'RealtimeAnswer' })
export type RealtimeAnswer = z.infer<typeof RealtimeAnswer>
