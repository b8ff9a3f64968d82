import { z } from 'zod'
import { limits } from '../limits.ts'
import { OptionalText, OrUndefined, PatchText } from '../shapes.ts'
import { integer, ProductName } from './schemas.ts'
import { tolerantEntry } from './tolerant-entry.ts'

export const OfferLine = ProductName.extend({
  vendorName: OptionalText(limits.nameLength).describe(
    'Name of the vendor. Defaults to the `vendorName` of the request.',
  ),
  vendorPartNumber: PatchText(limits.nameLength).describe(
    'Part number of the vendor. Identifies the product if no other field does.',
  ),
  cost: z
    .number()
    .min(0)
    .nullish()
    .describe('Price per unit. Omitted leaves it unchanged, and `null` clears it.'),
  onHand: z
    .number()
    .nullish()
    .describe('Quantity in stock. Omitted leaves it unchanged, and `null` clears it.'),
  inStock: OrUndefined(z.boolean()).describe(
    'Whether the offer is in stock. If omitted, it is derived from `onHand`, or left unchanged if that is omitted too.',
  ),
  status: PatchText(limits.nameLength).describe(
    'Availability text of the vendor. Omitted leaves it unchanged, and `null` clears it.',
  ),
}).meta({ id: 'OfferLine' })
export type OfferLine = z.output<typeof OfferLine>

export const OffersRequest = z.object({
  vendorName: OptionalText(limits.nameLength).describe(
    'Vendor of the offers that do not name one.',
  ),
  offers: z
    .array(tolerantEntry(OfferLine, 'offer'))
    .min(1)
    .max(limits.offerLines, `at most ${limits.offerLines} at once`)
    .describe(
      'The offers to set. If several are for the same product and vendor, the last one wins.',
    ),
})
export type OffersRequest = z.output<typeof OffersRequest>

export const OffersResponse = z
  .object({
    success: z.boolean().describe('Whether no offer was rejected.'),
    message: z.string().describe('The counts as text.'),
    updated: integer('Number of offers that were added or changed.'),
    unchanged: integer('Number of offers that were already up to date.'),
    rejected: integer('Number of offers that were rejected, as listed in `rejects`.'),
    rejects: z
      .array(
        z.object({
          index: integer('Index of the offer in the request, starting at 0.'),
          status: integer(
            'HTTP status: 400 (invalid offer), 404 (product not found), 409 (several products match) or 503 (time ran out).',
          ),
          message: z.string().describe('What is wrong with the offer, and where.'),
        }),
      )
      .describe('The rejected offers, in request order.'),
  })
  .meta({ id: 'OffersResponse', description: 'The result of writing offers.' })
export type OffersResponse = z.output<typeof OffersResponse>
