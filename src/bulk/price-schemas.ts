import { z } from 'zod'
import { limits } from '../limits.ts'
import { byItself, UtcTime } from '../shapes.ts'
import { ProductName } from './schemas.ts'

/** Normalized to one format, so that times compare as strings. */
const Time = UtcTime.nullish().transform((time) => (time ? new Date(time).toISOString() : null))

export const RequestedPrice = ProductName.extend({
  price: z
    .number()
    .min(0)
    .max(limits.listPrice)
    .nullable()
    .describe('Of one piece, in the currency of the list; null takes this line away.'),
  quantityFrom: z
    .int()
    .min(1)
    .max(limits.priceQuantity)
    .nullish()
    .transform((quantity) => quantity ?? 1)
    .describe('Pieces from which on it holds; 1 when absent, by which products are found.'),
  validFrom: Time.describe('The first moment of the price; always until `validTo` when absent.'),
  validTo: Time.describe('The first moment after it; without an end when absent.'),
}).meta({ id: 'PriceLine' })
export type RequestedPrice = z.output<typeof RequestedPrice>

export const PricesRequest = z.object({
  lines: z
    .array(byItself(RequestedPrice, 'line'))
    .min(1)
    .max(limits.priceLines, `at most ${limits.priceLines} at once`)
    .describe(
      'Each replaces the line of its product with the same `quantityFrom` and `validFrom`. Those of one product are done in their order.',
    ),
})
export type PricesRequest = z.output<typeof PricesRequest>

const count = (text: string) => z.int().describe(text)

export const PricesResponse = z
  .object({
    success: z.boolean().describe('`rejected` is 0.'),
    message: z.string().describe('The counts in words.'),
    updated: count('Lines that changed a price, or are new, or took one away.'),
    unchanged: count('Lines that were so already.'),
    rejected: count('Lines that were refused.'),
    results: z
      .array(
        z.object({
          status: count(
            '200; 400: it is wrong; 404: no such product; 409: it overlaps another price, or fits several products; 503: there was no time for it.',
          ),
          id: z.string().nullable().describe('Id of the product; null where none was found.'),
          error: z.string().nullable().describe('What is wrong and where; null: nothing.'),
        }),
      )
      .describe('One for each line, in their order.'),
  })
  .meta({ id: 'PricesResponse', description: 'What became of the prices.' })
export type PricesResponse = z.output<typeof PricesResponse>
