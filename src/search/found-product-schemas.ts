import { z } from 'zod'
import { Product10, selectable } from '../products/response-schemas.ts'
import { selectableFields } from '../products/selection.ts'
import { Explanation } from './explanation-schemas.ts'

/** A product as a search answers it whole. */
const WholeProduct = Product10.extend({
  /** `checkedAt`: when the vendor said so, of an offer that was checked for this answer. */
  vendors: z
    .array(
      Product10.shape.vendors.element.extend({
        checkedAt: z.iso
          .datetime()
          .optional()
          .describe('When the vendor said so; absent of an offer that is as the catalog has it.'),
      }),
    )
    .describe('Offers, one of each vendor.'),
  group: z
    .object({
      id: z.string().nullable().describe('The `groupId`; null of what is no variant.'),
      variants: z.int().describe('Variants that match, this one among them.'),
      options: z
        .record(z.string(), z.array(z.string()))
        .describe('The values of each option that variants which match have, in their order.'),
    })
    .optional()
    .describe('Of what this is the variant that matches best; absent unless asked for by `group`.'),
  highlight: z
    .object({
      name: z
        .string()
        .optional()
        .describe('HTML with the words in `<em>`; absent when none is in it.'),
      description: z
        .array(z.string())
        .optional()
        .describe('Parts of it as HTML with the words in `<em>`; absent when none is in it.'),
    })
    .optional()
    .describe('Where the words were found; absent unless asked for.'),
  explanation: Explanation.optional(),
  price: z
    .number()
    .nullable()
    .optional()
    .describe(
      'The price by which it is found and sorted: of its cheapest offer that fits the request, or that of the price list. Absent unless `fields` names it.',
    ),
  inStock: z
    .boolean()
    .optional()
    .describe('Whether anybody has it in stock. Absent unless `fields` names it.'),
})

/** What a search can answer of a product. */
export const FOUND_FIELDS = selectableFields(WholeProduct)

export const FoundProduct = selectable(WholeProduct).meta({
  id: 'FoundProduct',
  description: 'A product as the caller sees it; with `fields` and `compact` some of it.',
})
