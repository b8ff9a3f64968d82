import type { CategoryBranch, FoundProduct, Metadata, SearchAnswer } from '../generated/api.ts'
import { CATEGORY_LEVELS, facetAttribute, numberAttribute } from './attributes.ts'
import { partsOf } from './marks.ts'
import { type InstantSearchParams, searchRequest } from './request.ts'

/** Number of hits that can be reached by pages. */
const PAGES_END = 10_000
const DEFAULT_PAGE_SIZE = 25

type Counts = Record<string, Record<string, number>>

/** Aisle's answer in the shape of InstantSearch's results; `aisle` is the original answer. */
export function searchResult(indexName: string, params: InstantSearchParams, answer: SearchAnswer) {
  const hitsPerPage = searchRequest(indexName, params).pageSize ?? DEFAULT_PAGE_SIZE
  return {
    index: indexName,
    hits: answer.products.map((product) => hitOf(product, params)),
    nbHits: answer.total,
    page: params.page ?? 0,
    nbPages: Math.ceil(Math.min(answer.total, PAGES_END) / hitsPerPage),
    hitsPerPage,
    query: params.query ?? '',
    params: '',
    processingTimeMS: answer.took,
    exhaustiveNbHits: true,
    exhaustiveFacetsCount: true,
    facets: countsOf(answer.metadata),
    facets_stats: statsOf(answer.metadata),
    ...(answer.searchId ? { queryID: answer.searchId } : {}),
    ...(answer.correctedTo ? { queryAfterRemoval: answer.correctedTo } : {}),
    ...(answer.redirect ? { renderingContent: { redirect: { url: answer.redirect } } } : {}),
    aisle: answer,
  }
}

function hitOf(
  product: FoundProduct,
  { highlightPreTag = '', highlightPostTag = '' }: InstantSearchParams,
) {
  const html = product.highlight?.name
  const value = html
    ? partsOf(html)
        .map(({ text, marked }) => (marked ? highlightPreTag + text + highlightPostTag : text))
        .join('')
    : (product.name ?? '')
  return {
    ...product,
    objectID: product.id,
    _highlightResult: {
      name: { value, matchLevel: html ? 'full' : 'none', matchedWords: [] },
    },
  }
}

type Counted = NonNullable<Metadata['lists']>['vendors'][number]

const counted = (values: readonly Counted[]): Record<string, number> =>
  Object.fromEntries(values.map(({ value, count }) => [value, count]))

function countsOf({ lists, categoryTree = [] }: Partial<Metadata> = {}): Counts {
  const counts: Counts = {}
  if (lists) {
    counts.manufacturer = counted(lists.manufacturers)
    counts.vendor = counted(lists.vendors)
    for (const { name, values } of lists.facets) counts[facetAttribute(name)] = counted(values)
  }
  const walk = (branches: readonly CategoryBranch[], level: number) => {
    const attribute = CATEGORY_LEVELS[level]
    if (!attribute) return
    for (const { path, count, children } of branches) {
      counts[attribute] = { ...counts[attribute], [path]: count }
      walk(children, level + 1)
    }
  }
  walk(categoryTree, 0)
  return counts
}

function statsOf({ counts, ranges }: Partial<Metadata> = {}) {
  const { min, max } = counts?.price ?? {}
  const stats = (ranges?.numbers ?? []).map(
    ({ name, min, max }) => [numberAttribute(name), { min, max }] as const,
  )
  return {
    ...Object.fromEntries(stats),
    ...(typeof min === 'number' && typeof max === 'number' ? { price: { min, max } } : {}),
  }
}
