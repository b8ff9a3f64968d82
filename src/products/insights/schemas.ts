import { z } from 'zod'
import { limits } from '../../limits.ts'
import { OptionalText, TimeOrDay } from '../../shapes.ts'

/** Insights 1.0, oldest first. */
export const Insights = z
  .object({
    vendorInsights: z
      .array(
        z.object({
          id: z.string().describe('Of this point, the same in every answer.'),
          vendor: z.string(),
          vendorPartNumber: z.string().nullable().describe("The vendor's number of the product."),
          manufacturerPartNumber: z
            .string()
            .nullable()
            .describe("The manufacturer's number of the product."),
          date: z.iso.datetime().describe('When it became so.'),
          price: z
            .number()
            .nullable()
            .describe('Cost of the offer; null: it has none any more, or is gone.'),
          inStock: z.boolean(),
          onHand: z.number().nullable().describe('Number in stock; null: not known.'),
        }),
      )
      .describe(`Oldest first; the newest ${limits.insightPoints}.`),
  })
  .describe('Prices and stock over time.')

export const InsightsQuery = z
  .object({
    from: TimeOrDay('first'),
    to: TimeOrDay('last'),
    vendor: OptionalText(limits.nameLength).describe('Only offers of this vendor.'),
  })
  .refine(({ from, to }) => from === null || to === null || from <= to, {
    message: 'from is later than to',
    path: ['from'],
  })
