import { z } from 'zod'
import { limits } from '../../limits.ts'
import { Product10 } from '../../products/response-schemas.ts'
import { NullableNumber, NullableText, OmittableText } from '../../shapes.ts'

const SUGGESTIONS = ['products', 'queries', 'categories'] as const
export type SuggestionKind = (typeof SUGGESTIONS)[number]

/** `include=products,queries` in any order. Repeats are ignored; absent or empty means none. */
export const Include = z
  .string()
  .max(limits.nameLength)
  .optional()
  .transform((text) => (text ? text.split(',').map((name) => name.trim()) : []))
  .pipe(
    z.array(
      z.enum(SUGGESTIONS, `must be one or more of ${SUGGESTIONS.join(', ')}, separated by commas`),
    ),
  )
  .describe(
    `Kinds of \`suggestions\` to return, separated by commas: ${SUGGESTIONS.map((name) => `\`${name}\``).join(', ')}.`,
  )

/** The answer to `include`. */
export const Suggestions = z.object({
  products: z
    .array(
      Product10.pick({
        id: true,
        name: true,
        manufacturer: true,
        manufacturerPartNumber: true,
      }).extend({
        image: NullableText.describe('URL of an image.'),
        price: NullableNumber.describe(
          'Lowest price of its offers, otherwise its list price. `null` if there is none.',
        ),
        inStock: z.boolean().describe('Whether at least one vendor has the product in stock.'),
      }),
    )
    .optional()
    .describe(
      `The first ${limits.suggestedProducts} products of a Search with \`typing: true\`. For one or two letters, products of a manufacturer with that word or of a type that starts with it, if there are enough. Omitted unless included.`,
    ),
  queries: z
    .array(
      z.object({
        keywords: z.string().describe('Keywords to search for.'),
        source: z
          .enum(['history', 'catalog'])
          .describe(
            'Source of the query: `history` for past searches, `catalog` for names in the catalog.',
          ),
      }),
    )
    .optional()
    .describe(
      `Up to ${limits.quicksearchValues} queries, starting with the most frequent past ones. Omitted unless included.`,
    ),
  categories: z
    .array(
      z.object({
        name: z.string().describe('Name of the segment, category or sub-category.'),
        segment: OmittableText.describe('Value for `segment` of a search.'),
        category: OmittableText.describe('Value for `category` of a search.'),
        subCategory: OmittableText.describe('Value for `subCategory` of a search.'),
        manufacturer: z
          .array(z.string())
          .optional()
          .describe(
            'Value for `manufacturer` of a search, if the text starts with the name of a manufacturer. Omitted otherwise.',
          ),
        products: z.int().describe('Number of products in the category.'),
      }),
    )
    .optional()
    .describe(
      `Up to ${limits.quicksearchValues} categories that contain a word starting with the text. Omitted unless included.`,
    ),
})
export type Suggestions = z.infer<typeof Suggestions>
