import { z } from 'zod'
import { limits } from '../../limits.ts'
import { OptionalText } from '../../shapes.ts'

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

const DAY_MS = 24 * 60 * 60 * 1000

/** A time, or a day in UTC: its first millisecond as a lower bound, its last as an upper one. */
const Moment = (end: 'first' | 'last') =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date(), z.literal('')])
    .optional()
    .transform((text) => {
      if (!text) return null
      const isDay = !text.includes('T')
      return Date.parse(text) + (isDay && end === 'last' ? DAY_MS - 1 : 0)
    })

export const InsightsQuery = z
  .object({
    from: Moment('first').describe('A time, or a day in UTC; included.'),
    to: Moment('last').describe('A time, or a day in UTC; included.'),
    vendor: OptionalText(limits.nameLength).describe('Only offers of this vendor.'),
  })
  .refine(({ from, to }) => from === null || to === null || from <= to, {
    message: 'from is later than to',
    path: ['from'],
  })
