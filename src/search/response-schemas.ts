import { z } from 'zod'
import { limits } from '../limits.ts'
import { ShownCriterias } from '../products/criteria.ts'
import { OmittableText, withDescriptionsOf } from '../shapes.ts'
import { ExplainedReading } from './explanation-schemas.ts'
import { FacetWishes } from './facet-request-schemas.ts'
import { CategoryBranch, FacetLists, RangeFacets } from './facet-response-schemas.ts'
import { FoundProduct } from './found-product-schemas.ts'
import { FacetSearch, ProductFilter, SearchRequest } from './request-schemas.ts'
import { Suggestions } from './suggestions/schemas.ts'

const texts = z.array(z.string())
const counts = z.record(z.string(), z.int())
const end = z.number().nullable()

/** Metadata, with the optional parts that were requested. */
export const Metadata = z
  .object({
    segments: z.record(z.string(), texts).describe('Categories of each segment.'),
    vendors: texts.describe(`Up to ${limits.listedNames} vendors, most frequent first.`),
    manufacturers: texts.describe(
      `Up to ${limits.listedNames} manufacturers, most frequent first.`,
    ),
    facets: z
      .record(z.string(), texts)
      .describe(
        `Values of each facet, most frequent first: up to ${limits.facetNames} facets with ${limits.facetValues} values each, and all selected ones. A value of more than ${limits.termBytes} bytes is shortened, and criteria take it in this form, too.`,
      ),
    filters: z
      .record(
        z.string(),
        z.object({
          key: z.string().describe('Name of the numeric attribute.'),
          min: z.number().describe('Lowest number among the products found.'),
          max: z.number().describe('Highest number among the products found.'),
        }),
      )
      .describe('Numeric attributes of the products, by name.'),
    counts: z
      .object({
        segments: counts.describe('Counts by segment.'),
        categories: z.record(z.string(), counts).describe('Counts by segment and category.'),
        subCategories: z
          .record(z.string(), counts)
          .describe('Counts by category and sub-category, over all segments.'),
        manufacturers: counts.describe('Counts by manufacturer.'),
        vendors: counts.describe('Counts by vendor.'),
        facets: z.record(z.string(), counts).describe('Counts by facet and value.'),
        price: z
          .object({
            min: end.describe('Lowest price. `null` if no product has a price.'),
            max: end.describe('Highest price. `null` if no product has a price.'),
          })
          .describe('Price range of the products found.'),
      })
      .meta({ id: 'ValueCounts' })
      .optional()
      .describe(
        'Number of products for each value, which is the `total` if the value is selected. Omitted unless `counts` is `true`.',
      ),
    facetSearch: counts
      .optional()
      .describe(
        'Number of products for each value found by `facetSearch`. Omitted unless requested.',
      ),
    lists: FacetLists.optional().describe(
      'Facets, manufacturers and vendors as ordered lists. Omitted unless `facets.lists` is `true`.',
    ),
    ranges: RangeFacets.optional().describe(
      'Number of products by range. Omitted unless `facets.ranges` is `true`.',
    ),
    categoryTree: z
      .array(CategoryBranch)
      .optional()
      .describe('Top levels of the category tree. Omitted unless `facets.tree` is `true`.'),
  })
  .meta({
    id: 'Metadata',
    description: 'Values that occur in the products of a catalog or of a search.',
  })

const found = {
  products: z.array(FoundProduct).describe('Products, in the order of `sort`.'),
  total: z
    .int()
    .describe(
      `Exact number of products that match. With \`group\`, the number of groups, which is exact for up to ${limits.countedGroups} groups with several variants.`,
    ),
}
const more = {
  cursor: OmittableText.describe(
    'Cursor for the next request. Omitted at the end of the results, and if no cursor was requested.',
  ),
  droppedWords: texts
    .optional()
    .describe('Words that no product on the page contains. Omitted if all words were found.'),
  correctedTo: OmittableText.describe(
    'The keywords with corrected spelling. Omitted if nothing was corrected.',
  ),
  searchId: OmittableText.describe(
    'Id of the response, for use with Report Choice. Omitted unless `analytics` is `true`.',
  ),
  priceList: z
    .object({
      name: z.string(),
      currency: z.string().describe('Currency of the prices in `prices`, such as EUR.'),
    })
    .optional()
    .describe('Price list whose prices are returned. Omitted if these are the general prices.'),
  reading: ExplainedReading.optional(),
  rules: texts
    .optional()
    .describe(
      "Names of the catalog's search rules that apply. Omitted if none do, and for keys of type `search`.",
    ),
  redirect: OmittableText.describe(
    'Address to go to instead of showing these products, as set by a search rule of the catalog.',
  ),
}

export const SimpleSearchResponse = z.object({ ...found, ...more }).describe('A page of products.')

export const SearchResponse = z
  .object({
    ...found,
    metadata: Metadata.optional().describe(
      'Values for narrowing the search. Omitted with `includeMetadata: false`.',
    ),
    ...more,
    took: z.int().describe('Processing time in milliseconds.'),
  })
  .describe('A page of products, with values for narrowing the search.')

export const QuicksearchResponse = z
  .object({
    manufacturers: texts.describe(`Up to ${limits.quicksearchValues} manufacturers.`),
    categories: texts.describe(
      `Up to ${limits.quicksearchValues} segments, categories and sub-categories in one list.`,
    ),
    manufacturerPartNumbers: texts.describe(
      `Up to ${limits.quicksearchValues} part numbers of manufacturers.`,
    ),
    suggestions: Suggestions.optional().describe(
      'Suggestions for completing the text. Omitted unless requested by `include`.',
    ),
  })
  .describe(
    'Values that start with the text: names, most frequent first, and part numbers in their order.',
  )

export const CountResponse = z
  .object({
    count: z
      .int()
      .describe('Exact number of products that match. With `group`, the number of groups.'),
    catalog: z.string().describe('Name of the catalog that was searched.'),
  })
  .describe('The number of products.')

const text = z.string().nullable()

/** A SearchRequest with defaults for absent fields. Additions are present only if used. */
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
      must: ShownCriterias,
      boost: ShownCriterias,
      exclude: ShownCriterias,
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
      hidden: z.boolean().optional(),
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
      catalog: z.string().describe('Name of the catalog that was searched.'),
      username: z.string().describe('User who searched.'),
      time: z.iso.datetime().describe('Time of the response.'),
    }),
  )
  .meta({ id: 'SearchHistoryItem' })
export type SearchHistoryItem = z.infer<typeof SearchHistoryItem>

export const SearchHistory = z
  .object({
    items: z.array(SearchHistoryItem).describe('Searches, newest first.'),
  })
  .describe("A page of the caller's searches.")
