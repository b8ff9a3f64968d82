import { z } from 'zod'
import { Product10 } from '../products/answers.ts'

const texts = z.array(z.string())
const counts = z.record(z.string(), z.int())
const end = z.number().nullable()

/** Metadata (interface: Search shapes); `counts` and `facetSearch` where they were asked for. */
export const Metadata = z
  .object({
    segments: z.record(z.string(), texts),
    vendors: texts,
    manufacturers: texts,
    facets: z.record(z.string(), texts),
    filters: z.record(z.string(), z.object({ key: z.string(), min: z.number(), max: z.number() })),
    counts: z
      .object({
        segments: counts,
        categories: z.record(z.string(), counts),
        subCategories: z.record(z.string(), counts),
        manufacturers: counts,
        vendors: counts,
        facets: z.record(z.string(), counts),
        price: z.object({ min: end, max: end }),
      })
      .optional(),
    facetSearch: counts.optional(),
  })
  .meta({ id: 'Metadata' })

const FoundProduct = Product10.extend({
  /** `checkedAt`: when the vendor said so, of an offer that was checked for this answer. */
  vendors: z.array(
    Product10.shape.vendors.element.extend({ checkedAt: z.iso.datetime().optional() }),
  ),
  highlight: z.object({ name: z.string().optional(), description: texts.optional() }).optional(),
}).meta({ id: 'FoundProduct' })

export const SimpleSearchResponse = z.object({
  products: z.array(FoundProduct),
  total: z.int(),
  cursor: z.string().optional(),
  droppedWords: texts.optional(),
})

export const SearchResponse = z.object({
  products: z.array(FoundProduct),
  total: z.int(),
  metadata: Metadata.optional(),
  cursor: z.string().optional(),
  droppedWords: texts.optional(),
  took: z.int(),
})

export const QuicksearchResponse = z.object({
  manufacturers: texts,
  categories: texts,
  manufacturerPartNumbers: texts,
})

export const CountResponse = z.object({ count: z.int(), catalog: z.string() })

const text = z.string().nullable()
const criteria = z.array(z.object({ type: text, name: text, value: text }))

/** A SearchRequest as it was sent, absent fields filled in; additions only where they were used. */
const SearchHistoryItem = z
  .object({
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
    filters: z.array(z.object({ name: text, min: end, max: end })),
    sort: z.string().optional(),
    cursor: z.string().optional(),
    highlight: z.boolean().optional(),
    counts: z.boolean().optional(),
    facetSearch: z.object({ name: text, text, type: z.string() }).optional(),
    catalog: z.string(),
    username: z.string(),
    time: z.iso.datetime(),
  })
  .meta({ id: 'SearchHistoryItem' })
export type SearchHistoryItem = z.infer<typeof SearchHistoryItem>

export const SearchHistory = z.object({ items: z.array(SearchHistoryItem) })
