import { z } from 'zod'
import { limits } from '../../limits.ts'
import { Product10 } from '../../products/response-schemas.ts'

const SUGGESTIONS = ['products', 'queries', 'categories'] as const
export type SuggestionKind = (typeof SUGGESTIONS)[number]

/** `include=products,queries`: in any order, each once or more often; absent and empty: none. */
export const Include = z
  .string()
  .max(limits.nameLength)
  .optional()
  .transform((text) => (text ? text.split(',').map((name) => name.trim()) : []))
  .pipe(z.array(z.enum(SUGGESTIONS, `must be of ${SUGGESTIONS.join(', ')}, between commas`)))
  .describe(
    `Which \`suggestions\` are answered, between commas: ${SUGGESTIONS.map((name) => `\`${name}\``).join(', ')}.`,
  )

const text = z.string().nullable()

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
        image: text.describe('Address of a picture.'),
        price: z
          .number()
          .nullable()
          .describe('The least of its offers, else its list price; null where there is none.'),
        inStock: z.boolean().describe('true: at least one vendor has it in stock.'),
      }),
    )
    .optional()
    .describe(
      `The first ${limits.suggestedProducts} of Search with \`typing: true\`; for one or two letters of a maker so called or of what is such a thing, where there are so many. Absent unless included.`,
    ),
  queries: z
    .array(
      z.object({
        keywords: z.string().describe('What to search for.'),
        source: z
          .enum(['history', 'catalog'])
          .describe('`history`: it was searched before; `catalog`: names in the catalog.'),
      }),
    )
    .optional()
    .describe(
      `Up to ${limits.quicksearchValues}, past ones first, the commonest of them first; absent unless included.`,
    ),
  categories: z
    .array(
      z.object({
        name: z.string().describe('Of the segment, category or sub-category.'),
        segment: z.string().optional().describe('As Search takes it.'),
        category: z.string().optional().describe('As Search takes it.'),
        subCategory: z.string().optional().describe('As Search takes it.'),
        manufacturer: z
          .array(z.string())
          .optional()
          .describe('As Search takes it, where the text begins with its name; else absent.'),
        products: z.int().describe('Products there.'),
      }),
    )
    .optional()
    .describe(
      `Up to ${limits.quicksearchValues} with a word that begins with the text; absent unless included.`,
    ),
})
export type Suggestions = z.infer<typeof Suggestions>
