import { z } from 'zod'
import { limits } from '../limits.ts'
import { NullableText, UtcTime } from '../shapes.ts'
import { integer, ProductName } from './schemas.ts'
import { tolerantEntry } from './tolerant-entry.ts'

/** Normalized to one format, so that times compare as strings. */
const Time = UtcTime.nullish().transform((time) => (time ? new Date(time).toISOString() : null))

export const RequestedPrice = ProductName.extend({
  price: z
    .number()
    .min(0)
    .max(limits.listPrice)
    .nullable()
    .describe('Price per unit, in the currency of the list. `null` deletes the line.'),
  quantityFrom: z
    .int()
    .min(1)
    .max(limits.priceQuantity)
    .nullish()
    .transform((quantity) => quantity ?? 1)
    .describe(
      'Minimum quantity for this price. Defaults to 1, the quantity whose price searches use.',
    ),
  validFrom: Time.describe('Time from which the price is valid, inclusive. Defaults to no start.'),
  validTo: Time.describe('Time until which the price is valid, exclusive. Defaults to no end.'),
}).meta({ id: 'PriceLine' })
export type RequestedPrice = z.output<typeof RequestedPrice>

export const PricesRequest = z.object({
  lines: z
    .array(tolerantEntry(RequestedPrice, 'line'))
    .min(1)
    .max(limits.priceLines, `at most ${limits.priceLines} at once`)
    .describe(
      'Price lines. Each replaces the line with the same product, `quantityFrom` and `validFrom`. Lines of one product are processed in order.',
    ),
})
export type PricesRequest = z.output<typeof PricesRequest>

export const PricesResponse = z
  .object({
    success: z.boolean().describe('Whether no line was rejected.'),
    message: z.string().describe('The counts as text.'),
    updated: integer('Number of lines that added, changed or deleted a price.'),
    unchanged: integer('Number of lines that were already up to date.'),
    rejected: integer('Number of lines that were rejected.'),
    results: z
      .array(
        z.object({
          status: integer(
            'HTTP status: 200, 400 (invalid line), 404 (product not found), 409 (overlaps another price, or several products match) or 503 (time ran out).',
          ),
          id: NullableText.describe('Id of the product. `null` if none was found.'),
          error: NullableText.describe(
            'What is wrong with the line, and where. `null` if nothing is.',
          ),
        }),
      )
      .describe('One result per line, in request order.'),
  })
  .meta({ id: 'PricesResponse', description: 'The result of writing prices.' })
export type PricesResponse = z.output<typeof PricesResponse>
