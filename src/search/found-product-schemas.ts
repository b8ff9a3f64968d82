import { z } from 'zod'
import { Product10, selectable } from '../products/response-schemas.ts'
import { selectableFields } from '../products/selection.ts'
import { NullableNumber, NullableText, OmittableText } from '../shapes.ts'
import { Explanation } from './explanation-schemas.ts'

/** A product as a search returns it, with all fields. */
const WholeProduct = Product10.extend({
  /** `checkedAt` is the time at which an offer was checked with its vendor. */
  vendors: z
    .array(
      Product10.shape.vendors.element.extend({
        checkedAt: z.iso
          .datetime()
          .optional()
          .describe(
            "Time of the vendor's real-time answer. Omitted if the offer comes from the catalog.",
          ),
      }),
    )
    .describe('Offers, one per vendor.'),
  group: z
    .object({
      id: NullableText.describe('The `groupId`. `null` if the product is not a variant.'),
      variants: z.int().describe('Number of variants that match, including this one.'),
      options: z
        .record(z.string(), z.array(z.string()))
        .describe('Values of each option among the variants that match, in order.'),
    })
    .optional()
    .describe(
      'Group of variants, of which this product matches best. Omitted unless `group` is `true`.',
    ),
  highlight: z
    .object({
      name: OmittableText.describe(
        'Name as HTML, with the words found in `<em>`. Omitted if it contains none.',
      ),
      description: z
        .array(z.string())
        .optional()
        .describe(
          'Excerpts of the description as HTML, with the words found in `<em>`. Omitted if it contains none.',
        ),
    })
    .optional()
    .describe('Where the keywords were found. Omitted unless `highlight` is `true`.'),
  explanation: Explanation.optional(),
  price: NullableNumber.optional().describe(
    'Price used for filtering and sorting: that of the cheapest offer that meets the request, or that of the price list. Omitted unless selected in `fields`.',
  ),
  inStock: z
    .boolean()
    .optional()
    .describe(
      'Whether at least one vendor has the product in stock. Omitted unless selected in `fields`.',
    ),
})

/** The fields of a product that a search can return. */
export const SELECTABLE_FIELDS = selectableFields(WholeProduct)

/** What a search adds to a product. */
export type FoundParts = Pick<z.infer<typeof WholeProduct>, 'group' | 'highlight' | 'explanation'>

export const FoundProduct = selectable(WholeProduct).meta({
  id: 'FoundProduct',
  description:
    'A product as seen by the caller, reduced to the members selected by `fields` and `compact`.',
})
