import { z } from 'zod'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { Criterias, Exact, Exacts, listOf } from '../products/criteria.ts'
import { SelectionShape } from '../products/selection.ts'
import { CatalogName, Flag, OptionalText } from '../shapes.ts'
import { FacetWishes } from './facet-request-schemas.ts'

export const SORTS = [
  'relevance',
  'price',
  '-price',
  'name',
  '-name',
  'updated',
  'favorite',
  'popularity',
] as const
export type Sort = (typeof SORTS)[number]

const OptionalNumber = z
  .number()
  .nullish()
  .transform((number) => number ?? null)

export const ProductFilter = z
  .object({
    name: Exact(limits.nameLength).describe('Of the number, as `metadata.filters` lists it.'),
    min: OptionalNumber.describe('Included; null is an open end.'),
    max: OptionalNumber.describe(
      'Included; null is an open end. With both ends open: the product has that number.',
    ),
  })
  .meta({ id: 'ProductFilter' })

export const FacetSearch = z.object({
  name: Exact(limits.nameLength).describe(
    'Which facet or attribute; not needed for manufacturer and vendor.',
  ),
  text: OptionalText(limits.facetSearchLength).describe(
    'What the values contain; case and accents do not matter.',
  ),
  type: z
    .enum(['facet', 'attribute', 'manufacturer', 'vendor', ''])
    .nullish()
    .transform((type) => type || ('facet' as const))
    .describe('`facet` when absent.'),
})
export type FacetSearch = z.output<typeof FacetSearch>

/** SearchRequest with the additions sort, cursor, highlight, counts and facetSearch. */
export const SearchRequest = z.object({
  keywords: OptionalText(limits.keywordsLength).describe(
    'Words and part numbers. All are wanted; when nothing has all of them, fewer or misspelt ones are found.',
  ),
  typing: Flag(false).describe(
    'true: the last word is still being typed, and finds every word that begins with it. Such searches are not kept in the history.',
  ),
  analytics: z
    .boolean()
    .nullish()
    .transform((flag) => flag ?? null)
    .describe(
      'true: the answer has a `searchId`, by which Report Choice says what was chosen; false: reports on searches leave this one out. Absent: it is counted.',
    ),
  visitor: OptionalText(limits.idLength).describe(
    'Anonymous id of who searches, such as a random one that a page keeps, where many share a key: what each types is told apart by it. It is not stored.',
  ),
  page: z
    .int32()
    .min(0)
    .nullish()
    .transform((page) => page ?? 0)
    .describe('Counts from 0; 0 when absent.'),
  pageSize: z
    .int32()
    .min(0)
    .max(limits.pageSize)
    .nullish()
    .transform((size) => size || limits.defaultPageSize)
    .describe(
      `Products of a page; ${limits.defaultPageSize} when absent, null or 0. Pages end at hit ${limits.resultWindow}; \`cursor\` goes on.`,
    ),
  inStock: Flag(false).describe(
    'true: only what somebody has in stock; everything else is no filter.',
  ),
  lowPrice: OptionalNumber.describe('Least price, included.'),
  highPrice: OptionalNumber.describe('Highest price, included.'),
  priceList: Exact(limits.nameLength).describe(
    'Name of a price list of the catalog: prices are found, sorted, counted and answered by it. The general prices when absent, or those of the list that the key is bound to.',
  ),
  manufacturer: Exacts(limits.nameLength).describe('Alternatives.'),
  vendors: Exacts(limits.nameLength).describe(
    'Alternatives; the price and the stock hold on the same offer.',
  ),
  must: Criterias.describe(
    `All must hold; several of one type and name are alternatives. Together with \`boost\` and \`exclude\` up to ${limits.criteria}.`,
  ),
  boost: Criterias.describe(
    'Lifts what fulfils these in the order `relevance`; leaves nothing out.',
  ),
  exclude: Criterias.describe('None of these may hold.'),
  segment: Exact(limits.nameLength).describe('The exact value.'),
  category: Exact(limits.nameLength).describe('The exact value.'),
  subCategory: Exact(limits.nameLength).describe('The exact value.'),
  checkRealtimeSelection: Flag(false).describe(
    "true: the real-time vendors are asked about the offers of the page. Of keys of type `search` ignored: the catalog's `checkRealtime` decides.",
  ),
  includeMetadata: z
    .boolean()
    .nullish()
    .transform((flag) => flag ?? true)
    .describe('false: the answer has no `metadata`; true when absent. Simple Search never has it.'),
  filters: listOf(ProductFilter, limits.numberRanges).describe('Ranges of numbers; all must hold.'),
  sort: z
    .enum([...SORTS, ''])
    .nullish()
    .transform((sort) => sort || ('relevance' as const))
    .describe(
      "`relevance` when absent; without `keywords` that is by name. `updated`: newest first. `favorite`: the caller's, then the organization's. `popularity`: what people chose of late, then what is in stock. Every order ends with the id.",
    ),
  cursor: Exact(limits.cursorLength).describe(
    '`*` begins a walk through everything; the `cursor` of each answer continues it with the same request.',
  ),
  highlight: Flag(false).describe('true: each product has `highlight`.'),
  group: Flag(false).describe(
    'true: one hit for all variants of a group, the one that matches best, with `group`; totals and counts are of groups. Not together with `cursor`.',
  ),
  explain: Flag(false).describe(
    `true: each product has \`explanation\`, and the answer \`reading\`; pages of ${limits.explainedProducts} at most. Not for keys of type \`search\`.`,
  ),
  counts: Flag(false).describe(
    'true: `metadata.counts` has the number of products for each value.',
  ),
  facetSearch: FacetSearch.nullish()
    .transform((search) => search ?? null)
    .describe('Finds values of one facet or attribute, answered in `metadata.facetSearch`.'),
  hidden: Flag(false).describe(
    'true: products that are hidden, and no others. Not for keys of type `search`.',
  ),
  ...SelectionShape,
  facets: FacetWishes.nullish()
    .transform((wishes) => wishes ?? null)
    .describe('Which facets `metadata` shows, and how; all when absent.'),
})
export type SearchRequest = z.output<typeof SearchRequest>

/** A SearchRequest as it is sent, or as Search History answers it. */
export const SearchBody = allowIgnoredFields(
  SearchRequest.extend({
    catalog: CatalogName.or(z.literal(''))
      .nullish()
      .describe('The same as `?catalog=`, which it must agree with; Search History answers it.'),
  }),
  ['username', 'time'],
).meta({ id: 'SearchRequest' })

interface CheckedSearch {
  readonly catalog?: string | undefined
  readonly body: z.output<typeof SearchBody>
}

/** A search and its catalog, wherever that was named. Throws Invalid for two. */
export function searchOf({ catalog, body: { catalog: inBody, ...body } }: CheckedSearch) {
  if (catalog && inBody && catalog !== inBody) {
    throw new Invalid('catalog: the body names another one than the query')
  }
  return { catalog: catalog || inBody || undefined, body }
}
