import { z } from 'zod'
import { limits } from '../limits.ts'

const Counted = z.array(
  z.object({
    value: z.string(),
    count: z.int().describe('Products: the `total` that choosing it gives.'),
  }),
)

export const FacetLists = z.object({
  facets: z
    .array(z.object({ name: z.string(), values: Counted.describe('The commonest first.') }))
    .describe('Those that are shown, in their order.'),
  manufacturers: Counted.describe('The commonest first.'),
  vendors: Counted.describe('The commonest first.'),
})

const Ranges = z.array(
  z.object({
    min: z.number().describe('Included.'),
    max: z.number().describe('Where the next range begins; of the last one the greatest number.'),
    count: z.int().describe('Products in it.'),
  }),
)

export const RangeFacets = z.object({
  price: Ranges.describe('Round parts of the prices that were found; empty where all are one.'),
  numbers: z
    .array(
      z.object({
        name: z.string().describe('As `filters` of a search takes it.'),
        min: z.number().describe('Least number of the found products.'),
        max: z.number().describe('Greatest number of the found products.'),
        step: z.number().describe('For choosing an end between these.'),
        ranges: Ranges.describe('Round parts between these.'),
      }),
    )
    .describe(`Up to ${limits.rangedNumbers} that differ, the commonest first.`),
})

/** One level of a path. */
export const CategoryBranch = z
  .object({
    name: z.string().describe('Of this level alone.'),
    path: z
      .string()
      .describe(
        'Names from the uppermost on, between ` > `: the value of a criterion `categoryPath`.',
      ),
    count: z.int().describe('Products here and below.'),
    get children() {
      return z.array(CategoryBranch).describe('The commonest first.')
    },
  })
  .meta({ id: 'CategoryBranch', description: 'A place in the tree of categories.' })
export type CategoryBranch = z.infer<typeof CategoryBranch>
