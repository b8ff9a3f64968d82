import { z } from 'zod'
import { limits } from '../../limits.ts'
import { OptionalText } from '../../shapes.ts'

/** Insights 1.0, oldest first. */
export const Insights = z.object({
  vendorInsights: z.array(
    z.object({
      id: z.string(),
      vendor: z.string(),
      vendorPartNumber: z.string().nullable(),
      manufacturerPartNumber: z.string().nullable(),
      date: z.iso.datetime(),
      price: z.number().nullable(),
      inStock: z.boolean(),
      onHand: z.number().nullable(),
    }),
  ),
})

const DAY_MS = 24 * 60 * 60 * 1000

/** A time or a day in UTC; of a day its first millisecond, or its last. */
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
    from: Moment('first'),
    to: Moment('last'),
    vendor: OptionalText(limits.nameLength),
  })
  .refine(({ from, to }) => from === null || to === null || from <= to, {
    message: 'from is later than to',
    path: ['from'],
  })
