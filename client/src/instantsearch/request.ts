import type { FilterCriteria } from '../generated/api.ts'
import type { Input } from '../types.ts'
import { facetName, numberName, unescapeValue } from './attributes.ts'

/** The parameters of InstantSearch that Aisle supports. */
export interface InstantSearchParams {
  readonly query?: string
  readonly page?: number
  readonly hitsPerPage?: number
  readonly facetFilters?: readonly (string | readonly string[])[]
  readonly numericFilters?: readonly (string | readonly string[])[]
  readonly queryType?: string
  readonly distinct?: boolean | number
  readonly clickAnalytics?: boolean
  readonly getRankingInfo?: boolean
  readonly analytics?: boolean
  readonly userToken?: string
  readonly highlightPreTag?: string
  readonly highlightPostTag?: string
}

const FACETS_SHOWN = 10

type Order = NonNullable<Input<'search'>['sort']>
type Type = NonNullable<FilterCriteria['type']>
interface Criterion {
  readonly type: Type
  readonly name?: string
  readonly value: string
}

/** Parses an index name such as `demo/price`: a catalog in one of Aisle's orders. */
export function readIndex(indexName: string): { catalog: string; sort?: string } {
  const slash = indexName.indexOf('/')
  if (slash === -1) return { catalog: indexName }
  return { catalog: indexName.slice(0, slash), sort: indexName.slice(slash + 1) }
}

/** The single search of Aisle that answers a request of InstantSearch. */
export function searchRequest(indexName: string, params: InstantSearchParams): Input<'search'> {
  const { catalog, sort } = readIndex(indexName)
  const { query = '', page = 0, hitsPerPage, distinct, clickAnalytics, analytics } = params
  return {
    catalog,
    keywords: query,
    ...(params.queryType === 'prefixLast' && query !== '' ? { typing: true } : {}),
    ...(page > 0 ? { page } : {}),
    ...(hitsPerPage ? { pageSize: hitsPerPage } : {}),
    ...(sort ? { sort: sort as Order } : {}),
    ...narrowing(params),
    ...(distinct ? { group: true } : {}),
    ...(clickAnalytics ? { analytics: true } : analytics === false ? { analytics } : {}),
    ...(params.getRankingInfo ? { explain: true } : {}),
    ...(params.userToken ? { visitor: params.userToken } : {}),
    highlight: true,
    counts: true,
    facets: { most: FACETS_SHOWN, lists: true, ranges: true, tree: true },
  }
}

/** The filters of a request, without its query and page. */
export function narrowing({ facetFilters = [], numericFilters = [] }: InstantSearchParams) {
  const chosen = facetFilters.flat().map(readFacetFilter)
  const wanted = chosen.filter(({ not }) => !not)
  const of = (type: Type | 'inStock') =>
    wanted.filter(({ criterion }) => criterion.type === type).map(({ criterion }) => criterion)
  const valuesOf = (type: Type | 'inStock') => of(type).map(({ value }) => value)
  const manufacturer = valuesOf('manufacturer')
  const vendors = valuesOf('vendor')
  const must = [...of('categoryPath'), ...of('facet')]
  const exclude = chosen.filter(({ not }) => not).map(({ criterion }) => criterion)
  return {
    ...(manufacturer.length > 0 ? { manufacturer } : {}),
    ...(vendors.length > 0 ? { vendors } : {}),
    ...(valuesOf('inStock').includes('true') ? { inStock: true } : {}),
    ...(must.length > 0 ? { must } : {}),
    ...(exclude.length > 0 ? { exclude } : {}),
    ...ranges(numericFilters.flat()),
  }
}

/** Parses `facet.Voltage:18 V`, or `facet.Voltage:-18 V` for an excluded value. */
function readFacetFilter(filter: string): { criterion: Criterion; not: boolean } {
  const colon = filter.indexOf(':')
  const attribute = filter.slice(0, colon)
  const text = filter.slice(colon + 1)
  const not = text.startsWith('-')
  const value = unescapeValue(not ? text.slice(1) : text)
  return { criterion: criterionOf(attribute, value), not }
}

function criterionOf(attribute: string, value: string): Criterion {
  if (attribute.startsWith('categories.')) return { type: 'categoryPath', value }
  const name = facetName(attribute)
  return name === undefined ? { type: attribute as Type, value } : { type: 'facet', name, value }
}

/** The bounds that each operator sets; Aisle has ranges with inclusive bounds only. */
const BOUNDS = { '>=': ['min'], '<=': ['max'], '=': ['min', 'max'] } as const

/** Parses `price>=10`. Throws for `<`, `>` and `!=`. */
function readNumericFilter(filter: string) {
  const [, attribute = '', operator = '', value] = /^([^<>=!]*)([<>=!]+)(.*)$/.exec(filter) ?? []
  if (!Object.hasOwn(BOUNDS, operator)) {
    throw new Error(`Aisle compares numbers by >=, <= and = only, not as in ${filter}`)
  }
  return { attribute, bounds: BOUNDS[operator as keyof typeof BOUNDS], value: Number(value) }
}

/** Ranges of the price, and of numbers by name, from filters such as `number.Weight (kg)<=2`. */
function ranges(filters: readonly string[]) {
  const price: { lowPrice?: number; highPrice?: number } = {}
  const numbers = new Map<string, { min?: number; max?: number }>()
  for (const filter of filters) {
    const { attribute, bounds, value } = readNumericFilter(filter)
    const name = numberName(attribute)
    for (const bound of bounds) {
      if (name !== undefined) numbers.set(name, { ...numbers.get(name), [bound]: value })
      else if (attribute === 'price') price[bound === 'min' ? 'lowPrice' : 'highPrice'] = value
    }
  }
  const all = [...numbers].map(([name, range]) => ({ name, ...range }))
  return { ...price, ...(all.length > 0 ? { filters: all } : {}) }
}
