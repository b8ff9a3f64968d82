import { z } from 'zod'
import { limits } from '../limits.ts'
import { byItself, OptionalText, PatchText } from '../shapes.ts'
import { ProductName } from './schemas.ts'

export const OfferLine = ProductName.extend({
  vendorName: OptionalText(limits.nameLength).describe(
    'Whose offer it is; `vendorName` of the request when absent.',
  ),
  vendorPartNumber: PatchText(limits.nameLength).describe(
    "The vendor's number of the product, which names it where nothing else does.",
  ),
  cost: z.number().min(0).nullish().describe('Price of one. Absent stays, null clears.'),
  onHand: z.number().nullish().describe('Number in stock. Absent stays, null clears.'),
  inStock: z
    .boolean()
    .nullish()
    .transform((flag) => flag ?? undefined)
    .describe('Follows `onHand` when absent; stays where that is absent, too.'),
  status: PatchText(limits.nameLength).describe("The vendor's words. Absent stays, null clears."),
}).meta({ id: 'OfferLine' })
export type OfferLine = z.output<typeof OfferLine>

export const OffersRequest = z.object({
  vendorName: OptionalText(limits.nameLength).describe('Whose the offers are that do not say it.'),
  offers: z
    .array(byItself(OfferLine, 'offer'))
    .min(1)
    .max(limits.offerLines, `at most ${limits.offerLines} at once`)
    .describe('Of several for one product and vendor the last one wins.'),
})
export type OffersRequest = z.output<typeof OffersRequest>

const count = (text: string) => z.int().describe(text)

export const OffersResponse = z
  .object({
    success: z.boolean().describe('`rejected` is 0.'),
    message: z.string().describe('The counts in words.'),
    updated: count('Offers that changed, or are new.'),
    unchanged: count('Offers that were so already.'),
    rejected: count('Offers that were refused: those of `rejects`.'),
    rejects: z
      .array(
        z.object({
          index: count('Place of the offer in the request, from 0.'),
          status: count(
            '400: it is wrong; 404: no such product; 409: it fits several products; 503: there was no time for it.',
          ),
          message: z.string().describe('What is wrong and where.'),
        }),
      )
      .describe('In their order.'),
  })
  .meta({ id: 'OffersResponse', description: 'What became of the offers.' })
export type OffersResponse = z.output<typeof OffersResponse>
