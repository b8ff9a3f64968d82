import { z } from 'zod'
import { limits } from '../limits.ts'
import { Flag, OptionalText } from '../shapes.ts'

export const SORTS = [
  'relevance',
  'price',
  '-price',
  'name',
  '-name',
  'updated',
  'favorite',
] as const
export type Sort = (typeof SORTS)[number]

/** What is matched exactly is not trimmed; empty counts as null. */
const Exact = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform((text) => text || null)

const Exacts = (max: number) =>
  z
    .array(z.string().max(max).nullable())
    .max(limits.criteria)
    .nullish()
    .transform((list) => (list ?? []).filter((text) => text !== null && text !== ''))
    .transform((list) => list as string[])

const OptionalNumber = z
  .number()
  .nullish()
  .transform((number) => number ?? null)

const FilterCriteria = z
  .object({
    type: Exact(limits.nameLength),
    name: Exact(2 * limits.nameLength + 1),
    value: Exact(limits.valueLength),
  })
  .meta({ id: 'FilterCriteria' })
export type FilterCriteria = z.output<typeof FilterCriteria>

const Criterias = z
  .array(FilterCriteria)
  .max(limits.criteria)
  .nullish()
  .transform((list) => list ?? [])

const ProductFilter = z
  .object({
    name: Exact(limits.nameLength),
    min: OptionalNumber,
    max: OptionalNumber,
  })
  .meta({ id: 'ProductFilter' })

const FacetSearch = z.object({
  name: Exact(limits.nameLength),
  text: OptionalText(limits.facetSearchLength),
  type: z
    .enum(['facet', 'manufacturer', 'vendor', ''])
    .nullish()
    .transform((type) => type || ('facet' as const)),
})
export type FacetSearch = z.output<typeof FacetSearch>

/** SearchRequest with the additions sort, cursor, highlight, counts and facetSearch. */
export const SearchRequest = z
  .object({
    keywords: OptionalText(limits.keywordsLength),
    page: z
      .int32()
      .min(0)
      .nullish()
      .transform((page) => page ?? 0),
    pageSize: z
      .int32()
      .min(0)
      .max(limits.pageSize)
      .nullish()
      .transform((size) => size || limits.defaultPageSize),
    inStock: Flag(false),
    lowPrice: OptionalNumber,
    highPrice: OptionalNumber,
    manufacturer: Exacts(limits.nameLength),
    vendors: Exacts(limits.nameLength),
    must: Criterias,
    boost: Criterias,
    exclude: Criterias,
    segment: Exact(limits.nameLength),
    category: Exact(limits.nameLength),
    subCategory: Exact(limits.nameLength),
    checkRealtimeSelection: Flag(false),
    includeMetadata: z
      .boolean()
      .nullish()
      .transform((flag) => flag ?? true),
    filters: z
      .array(ProductFilter)
      .max(limits.numberRanges)
      .nullish()
      .transform((list) => list ?? []),
    sort: z
      .enum([...SORTS, ''])
      .nullish()
      .transform((sort) => sort || ('relevance' as const)),
    cursor: Exact(limits.cursorLength),
    highlight: Flag(false),
    counts: Flag(false),
    facetSearch: FacetSearch.nullish().transform((search) => search ?? null),
  })
  .meta({ id: 'SearchRequest' })
export type SearchRequest = z.output<typeof SearchRequest>
