import { z } from 'zod'
import { limits } from '../limits.ts'
import { Flag } from '../shapes.ts'

/** Which facets a search shows, and how. */
export const FacetWishes = z
  .object({
    names: z
      .array(z.string().min(1).max(limits.nameLength))
      .max(limits.facetNames)
      .nullish()
      .transform((names) => [...new Set(names ?? [])])
      .describe('Facets that are shown first, in this order; without `most` no others are.'),
    most: z
      .int()
      .min(1)
      .max(limits.facetNames)
      .nullish()
      .transform((most) => most ?? null)
      .describe(
        'How many are shown: those of `names`, then those that narrow what was found best, by how many products have them and how evenly their values spread. What is chosen is always shown.',
      ),
    lists: Flag(false).describe(
      'true: `metadata.lists` has facets, values and their numbers of products in order, which objects lose where names are numbers.',
    ),
    ranges: Flag(false).describe(
      'true: `metadata.ranges` has how many products lie in which range of the price and of numbers; one further request of the search engine.',
    ),
    tree: Flag(false).describe(
      'true: `metadata.categoryTree` has segments, categories and sub-categories as one tree, with a further level for each ` > ` in them.',
    ),
  })
  .meta({ id: 'FacetWishes' })
export type FacetWishes = z.output<typeof FacetWishes>
