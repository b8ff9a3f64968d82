import { z } from 'zod'
import { limits } from '../limits.ts'
import { FilterCriteria } from '../products/criteria.ts'
import { withDescriptionsOf } from '../shapes.ts'
import { Reading } from './explanation-schemas.ts'
import { FacetWishes } from './facet-request-schemas.ts'
import { CategoryBranch, FacetLists, RangeFacets } from './facet-response-schemas.ts'
import { FoundProduct } from './found-product-schemas.ts'
import { FacetSearch, ProductFilter, SearchRequest } from './request-schemas.ts'
import { Suggestions } from './suggestions/schemas.ts'

const texts = z.array(z.string())
const counts = z.record(z.string(), z.int())
const end = z.number().nullable()

/** Metadata; `counts` and `facetSearch` where they were asked for. */
export const Metadata = z
  .object({
    segments: z.record(z.string(), texts).describe('The categories of each segment.'),
    vendors: texts.describe(`Up to ${limits.listedNames}, the commonest first.`),
    manufacturers: texts.describe(`Up to ${limits.listedNames}, the commonest first.`),
    facets: z
      .record(z.string(), texts)
      .describe(
        `The values of each facet, the commonest first; up to ${limits.facetNames} facets with ${limits.facetValues} values each, and all that are chosen.`,
      ),
    filters: z
      .record(
        z.string(),
        z.object({
          key: z.string().describe('The name again.'),
          min: z.number().describe('Least number of the found products.'),
          max: z.number().describe('Greatest number of the found products.'),
        }),
      )
      .describe('The numbers that products have, by name.'),
    counts: z
      .object({
        segments: counts.describe('By segment.'),
        categories: z.record(z.string(), counts).describe('By segment and category.'),
        subCategories: z
          .record(z.string(), counts)
          .describe('By category and sub-category, over all segments.'),
        manufacturers: counts.describe('By manufacturer.'),
        vendors: counts.describe('By vendor.'),
        facets: z.record(z.string(), counts).describe('By facet and value.'),
        price: z
          .object({
            min: end.describe('null: no product has a price.'),
            max: end.describe('null: no product has a price.'),
          })
          .describe('Ends of the prices of the found products.'),
      })
      .meta({ id: 'ValueCounts' })
      .optional()
      .describe(
        'Products for each value: the `total` that choosing it gives. Absent unless asked for by `counts`.',
      ),
    facetSearch: counts
      .optional()
      .describe('Products for each value that `facetSearch` found; absent unless asked for.'),
    lists: FacetLists.optional().describe('Absent unless asked for by `facets.lists`.'),
    ranges: RangeFacets.optional().describe('Absent unless asked for by `facets.ranges`.'),
    categoryTree: z
      .array(CategoryBranch)
      .optional()
      .describe('The uppermost levels; absent unless asked for by `facets.tree`.'),
  })
  .meta({ id: 'Metadata', description: 'What the products of a catalog, or of a search, have.' })

const found = {
  products: z.array(FoundProduct).describe('In the order of `sort`.'),
  total: z
    .int()
    .describe(
      `Products that match, exactly; with \`group\` groups, exactly up to ${limits.countedGroups} of several variants.`,
    ),
}
const more = {
  cursor: z
    .string()
    .optional()
    .describe('Continues the walk; absent at its end, and when none was asked for.'),
  droppedWords: texts
    .optional()
    .describe('Words that no product of the page has; absent when all were found.'),
  correctedTo: z
    .string()
    .optional()
    .describe('The keywords with misspelt words corrected; absent when nothing was.'),
  searchId: z
    .string()
    .optional()
    .describe('Names this answer to Report Choice; absent unless `analytics` is true.'),
  priceList: z
    .object({
      name: z.string(),
      currency: z.string().describe('Of the prices in `prices`, as in EUR.'),
    })
    .optional()
    .describe('Whose prices these are; absent where they are the general ones.'),
  reading: Reading.optional(),
  rules: texts
    .optional()
    .describe(
      "Names of the catalog's rules that apply; absent when none does, and for keys of type `search`.",
    ),
  redirect: z
    .string()
    .optional()
    .describe('Where a page goes instead of showing these products, by a rule of the catalog.'),
}

export const SimpleSearchResponse = z.object({ ...found, ...more }).describe('A page of products.')

export const SearchResponse = z
  .object({
    ...found,
    metadata: Metadata.optional().describe('Absent with `includeMetadata: false`.'),
    ...more,
    took: z.int().describe('Milliseconds.'),
  })
  .describe('A page of products with what narrows the search further.')

export const QuicksearchResponse = z
  .object({
    manufacturers: texts.describe(`Up to ${limits.quicksearchValues}.`),
    categories: texts.describe(
      `Segments, categories and sub-categories in one list, up to ${limits.quicksearchValues}.`,
    ),
    manufacturerPartNumbers: texts.describe(`Up to ${limits.quicksearchValues}.`),
    suggestions: Suggestions.optional().describe(
      'What the text may become; absent unless asked for by `include`.',
    ),
  })
  .describe('Values that begin with the text, the commonest first.')

export const CountResponse = z
  .object({
    count: z.int().describe('Products that match, exactly; with `group` groups.'),
    catalog: z.string().describe('The catalog that was counted in.'),
  })
  .describe('The number of products.')

const text = z.string().nullable()
const criteria = z.array(
  z.object(withDescriptionsOf(FilterCriteria.shape, { type: text, name: text, value: text })),
)

/** A SearchRequest as it was sent, absent fields filled in; additions only where they were used. */
const SearchHistoryItem = z
  .object(
    withDescriptionsOf(SearchRequest.shape, {
      keywords: text,
      page: z.int(),
      pageSize: z.int(),
      inStock: z.boolean(),
      lowPrice: end,
      highPrice: end,
      manufacturer: texts,
      vendors: texts,
      must: criteria,
      boost: criteria,
      exclude: criteria,
      segment: text,
      category: text,
      subCategory: text,
      checkRealtimeSelection: z.boolean(),
      includeMetadata: z.boolean(),
      filters: z.array(
        z.object(withDescriptionsOf(ProductFilter.shape, { name: text, min: end, max: end })),
      ),
      sort: z.string().optional(),
      cursor: z.string().optional(),
      highlight: z.boolean().optional(),
      group: z.boolean().optional(),
      priceList: z.string().optional(),
      counts: z.boolean().optional(),
      facetSearch: z
        .object(withDescriptionsOf(FacetSearch.shape, { name: text, text, type: z.string() }))
        .optional(),
      facets: z
        .object(
          withDescriptionsOf(FacetWishes.shape, {
            names: texts,
            most: z.int().nullable(),
            lists: z.boolean(),
            ranges: z.boolean(),
            tree: z.boolean(),
          }),
        )
        .optional(),
      catalog: z.string().describe('The catalog that was searched.'),
      username: z.string().describe('Who searched.'),
      time: z.iso.datetime().describe('When it was answered.'),
    }),
  )
  .meta({ id: 'SearchHistoryItem' })
export type SearchHistoryItem = z.infer<typeof SearchHistoryItem>

export const SearchHistory = z
  .object({
    items: z.array(SearchHistoryItem).describe('Newest first.'),
  })
  .describe("A page of the caller's searches.")
