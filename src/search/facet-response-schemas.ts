import { z } from 'zod'
import { limits } from '../limits.ts'

const Counted = z.array(
  z.object({
    value: z.string(),
    count: z.int().describe('Number of products, which is the `total` if this value is selected.'),
  }),
)

export const FacetLists = z.object({
  facets: z
    .array(z.object({ name: z.string(), values: Counted.describe('Values, most frequent first.') }))
    .describe('The listed facets, in order.'),
  manufacturers: Counted.describe('Manufacturers, most frequent first.'),
  vendors: Counted.describe('Vendors, most frequent first.'),
})

const Ranges = z.array(
  z.object({
    min: z.number().describe('Inclusive lower bound.'),
    max: z
      .number()
      .describe(
        'Upper bound, at which the next range starts. For the last range, the highest number.',
      ),
    count: z.int().describe('Number of products in the range.'),
  }),
)

export const RangeFacets = z.object({
  price: Ranges.describe(
    'Ranges of the prices found, with rounded bounds. Empty if all prices are equal.',
  ),
  numbers: z
    .array(
      z.object({
        name: z
          .string()
          .describe('Name of the numeric attribute, as used in `filters` of a search.'),
        min: z.number().describe('Lowest number among the products found.'),
        max: z.number().describe('Highest number among the products found.'),
        step: z.number().describe('Step size for a control that selects a bound.'),
        ranges: Ranges.describe('Ranges between `min` and `max`, with rounded bounds.'),
      }),
    )
    .describe(
      `Up to ${limits.rangedNumbers} numeric attributes with more than one value, most frequent first.`,
    ),
})
export type RangeFacets = z.infer<typeof RangeFacets>

/** One level of a path. */
export const CategoryBranch = z
  .object({
    name: z.string().describe('Name of this level only.'),
    path: z
      .string()
      .describe(
        'Names from the top level down, separated by ` > `, for use as the value of a `categoryPath` criterion.',
      ),
    count: z.int().describe('Number of products at this level and below.'),
    get children() {
      return z.array(CategoryBranch).describe('Child levels, most frequent first.')
    },
  })
  .meta({ id: 'CategoryBranch', description: 'A level in the category tree.' })
export type CategoryBranch = z.infer<typeof CategoryBranch>
