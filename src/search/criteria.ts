import type { PricesInEffect } from '../catalogs/price-lists/in-effect.ts'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Condition } from '../operation.ts'
import {
  checkLength,
  conditionsOf,
  fieldConditions,
  isWord,
  lengthOf,
} from '../products/criteria.ts'
import { type Selection, selectionOf } from '../products/selection.ts'
import { byText, checkKeywords } from './criterion.ts'
import type { FacetWishes } from './facet-request-schemas.ts'
import { SELECTABLE_FIELDS } from './found-product-schemas.ts'
import { type FacetSearch, SearchRequest, type Sort } from './request-schemas.ts'
import type { AppliedRules } from './tuning/applied-rules.ts'

/** Both bounds are inclusive; null leaves the range open. */
export interface Range {
  readonly min: number | null
  readonly max: number | null
}

export interface NumberRange extends Range {
  readonly name: string
}

/** A validated search in canonical form: equal requests have equal criteria. */
export interface Criteria {
  readonly keywords: string | null
  /** Whether the last keyword is still being typed. */
  readonly typing: boolean
  /** Finds only products of a type that begins with the last word. */
  readonly begunTypes: boolean
  readonly inStock: boolean
  readonly price: Range | null
  /** Whether a product has one price for all vendors, from a price list or the general one. */
  readonly byListPrice: boolean
  /** The price list by which products are searched and shown; null: the general prices. */
  readonly prices: PricesInEffect | null
  /** From fields and `must`; all must hold. */
  readonly wanted: readonly Condition[]
  /** None may hold. */
  readonly excluded: readonly Condition[]
  /** Add to the score, but never filter. */
  readonly boosted: readonly Condition[]
  readonly numbers: readonly NumberRange[]
  readonly sort: Sort
  readonly from: number
  readonly size: number
  /** `*` starts a walk. */
  readonly cursor: string | null
  readonly metadata: boolean
  readonly counts: boolean
  /** One hit for all variants of a group. */
  readonly group: boolean
  readonly highlight: boolean
  /** Explains the position of each product. */
  readonly explain: boolean
  readonly facetSearch: FacetSearch | null
  /** Finds hidden products instead of visible ones. */
  readonly hidden: boolean
  /** Without keywords, orders by signals instead of by name, as the catalog is set. */
  readonly bySignals: boolean
  /** The combined effect of the rules that apply; null: none applies. */
  readonly rules: AppliedRules | null
  /** The facets to show; null: the documented default. */
  readonly facets: FacetWishes | null
  /** The fields to show of each product; null: all. */
  readonly selection: Selection | null
  /** Reads whole products, whatever is shown of them. */
  readonly whole: boolean
}

/** Validates what the schema cannot, and brings a request into canonical form. Throws Invalid. */
export function criteriaOf(request: SearchRequest): Criteria {
  const { must, boost, exclude } = request
  if (must.length + boost.length + exclude.length > limits.criteria) {
    throw new Invalid(`must, boost and exclude: at most ${limits.criteria} criteria in total`)
  }
  checkKeywords([...must, ...boost, ...exclude])
  const conditions = {
    wanted: byText([...fieldConditions(request), ...conditionsOf(must, 'must')]),
    excluded: byText(conditionsOf(exclude, 'exclude')),
    boosted: byText(conditionsOf(boost, 'boost')),
  }
  checkLength(criteriaLength(conditions), 'must, boost and exclude')
  return {
    // Keywords without a letter or digit count as none.
    keywords: request.keywords !== null && isWord(request.keywords) ? request.keywords : null,
    typing: request.typing,
    begunTypes: false,
    inStock: request.inStock,
    price: priceOf(request),
    byListPrice: false,
    prices: null,
    ...conditions,
    numbers: numbersOf(request),
    sort: request.sort,
    ...windowOf(request),
    metadata: request.includeMetadata,
    counts: request.counts,
    group: request.group,
    highlight: request.highlight,
    explain: explainOf(request),
    facetSearch: facetSearchOf(request),
    hidden: request.hidden,
    bySignals: false,
    rules: null,
    facets: facetWishesOf(request),
    selection: selectionOf(request, SELECTABLE_FIELDS),
    whole: request.explain,
  }
}

/** Total characters of the wanted, excluded and boosted conditions. */
export const criteriaLength = ({
  wanted,
  excluded,
  boosted,
}: Pick<Criteria, 'wanted' | 'excluded' | 'boosted'>): number =>
  lengthOf([...wanted, ...excluded, ...boosted])

function priceOf({ lowPrice: min, highPrice: max }: SearchRequest): Range | null {
  if (min !== null && max !== null && min > max)
    throw new Invalid('lowPrice: must not be above highPrice')
  return min === null && max === null ? null : { min, max }
}

function windowOf({ page, pageSize: size, cursor, group }: SearchRequest) {
  if (cursor !== null) {
    if (group) {
      throw new Invalid(
        'group: cannot be combined with cursor; use page, or omit group and group the products by groupId yourself',
      )
    }
    if (page > 0) throw new Invalid('page: cannot be combined with cursor')
    return { from: 0, size, cursor }
  }
  const from = page * size
  if (from + size > limits.resultWindow) {
    throw new Invalid(
      group
        ? `page: only the first ${limits.resultWindow} hits can be paged; narrow the search`
        : `page: only the first ${limits.resultWindow} hits can be paged; narrow the search, or use cursor "*" to get all`,
    )
  }
  return { from, size, cursor: null }
}

function explainOf({ explain, pageSize }: SearchRequest): boolean {
  if (explain && pageSize > limits.explainedProducts) {
    throw new Invalid(`explain: at most ${limits.explainedProducts} products per page`)
  }
  return explain
}

/** Ranges with the same name are not merged, since all must hold. */
function numbersOf({ filters }: SearchRequest): NumberRange[] {
  const ranges = filters.map(({ name, min, max }, index) => {
    if (name === null) throw new Invalid(`filters[${index}].name: required`)
    if (min !== null && max !== null && min > max) {
      throw new Invalid(`filters[${index}].min: must not be above max`)
    }
    return { name, min, max }
  })
  return byText(ranges)
}

function facetSearchOf({ facetSearch, includeMetadata }: SearchRequest): FacetSearch | null {
  if (facetSearch === null) return null
  if (!includeMetadata) throw new Invalid('facetSearch: requires includeMetadata')
  const { type, name } = facetSearch
  if ((type === 'facet' || type === 'attribute') && name === null) {
    throw new Invalid(`facetSearch.name: required for type ${type}`)
  }
  return facetSearch
}

function facetWishesOf({ facets, includeMetadata }: SearchRequest): FacetWishes | null {
  if (facets !== null && !includeMetadata) throw new Invalid('facets: requires includeMetadata')
  return facets
}

/** The criteria of an empty request. */
export const defaultCriteria: Criteria = criteriaOf(SearchRequest.parse({}))
