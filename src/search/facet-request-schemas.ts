import { z } from 'zod'
import { limits } from '../limits.ts'
import { Flag, ListOf, OrNull, RequiredExact } from '../shapes.ts'

/** The `facets` of a request: which facets are shown, and how. */
export const FacetWishes = z
  .object({
    names: ListOf(RequiredExact(limits.nameLength), limits.facetNames)
      .transform((names) => [...new Set(names)])
      .describe(
        'Facets to list first, in this order. Unless `most` is given, only these are listed.',
      ),
    most: OrNull(z.int().min(1).max(limits.facetNames)).describe(
      'Maximum number of facets, starting with `names`. The rest are those that narrow the results best, by coverage and evenness of their values. Facets with a selected value are always listed.',
    ),
    lists: Flag(false).describe(
      'Whether to return `metadata.lists`, which has facets, values and their product counts as ordered lists. Objects do not preserve the order of numeric names. Defaults to `false`.',
    ),
    ranges: Flag(false).describe(
      'Whether to return `metadata.ranges`, the number of products in each range of the price and of numeric attributes. Takes a second request to the search engine. Defaults to `false`.',
    ),
    tree: Flag(false).describe(
      'Whether to return `metadata.categoryTree`, which has segments, categories and sub-categories as one tree. Each ` > ` within a name adds a level. Defaults to `false`.',
    ),
  })
  .meta({ id: 'FacetWishes' })
export type FacetWishes = z.output<typeof FacetWishes>
