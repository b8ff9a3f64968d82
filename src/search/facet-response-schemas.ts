import { z } from 'zod'

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
