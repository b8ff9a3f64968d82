import { z } from 'zod'
import { limits } from '../../limits.ts'
import { NullableNumber, NullableText, OptionalText, TimeOrDay } from '../../shapes.ts'

/** Insights 1.0, oldest first. */
export const Insights = z
  .object({
    vendorInsights: z
      .array(
        z.object({
          id: z.string().describe('Id of the data point, which is the same in every response.'),
          vendor: z.string(),
          vendorPartNumber: NullableText.describe('Part number of the vendor.'),
          manufacturerPartNumber: NullableText.describe('Part number of the manufacturer.'),
          date: z.iso.datetime().describe('Time of the change.'),
          price: NullableNumber.describe(
            'Cost of the offer. `null` if the offer has no cost any more or no longer exists.',
          ),
          inStock: z.boolean(),
          onHand: NullableNumber.describe('Quantity in stock. `null` if unknown.'),
        }),
      )
      .describe(`Data points, oldest first, limited to the newest ${limits.insightPoints}.`),
  })
  .describe("The history of a product's prices and stock.")

export const InsightsQuery = z
  .object({
    from: TimeOrDay('first'),
    to: TimeOrDay('last'),
    vendor: OptionalText(limits.nameLength).describe(
      'Restricts the history to offers of this vendor.',
    ),
  })
  .refine(({ from, to }) => from === null || to === null || from <= to, {
    message: 'must not be after to',
    path: ['from'],
  })

/** `from` and `to` in milliseconds since the epoch, both inclusive. */
export type InsightsFilter = z.output<typeof InsightsQuery>
