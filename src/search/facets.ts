import { every, term } from '../elastic/clauses.ts'
import { containsPattern, prefixPattern } from '../elastic/patterns.ts'
import type { Aggregations } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import { quickPrefix, valueTerm } from '../products/search-fields.ts'
import { firstBytes, KEPT_BYTES } from '../products/short-value.ts'
import { fold, token } from '../text.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { disjunctiveAggregations } from './disjunctive-aggregations.ts'
import { groupsIn } from './groups.ts'
import { numberAggregations, oneNumberAggregation } from './number-aggregations.ts'
import { offerConditions, priceAggregation, vendorAggregation } from './offers.ts'
import {
  chosenTerms,
  chosenValues,
  disjunctiveGroups,
  type FacetGroup,
  nameIn,
  searchedGroup,
  selectedGroups,
  selectionClauses,
} from './selections.ts'

/** Facets that every search counts, whether they have a selection or not. */
const ALWAYS: readonly FacetGroup[] = ['manufacturer', 'vendor', 'path', 'price']

/** Aggregations for all facets. `selections.ts` says which ones their own selection narrows. */
export function facetAggregations(criteria: Criteria, context: SearchContext): Aggregations {
  const selected = selectedGroups(criteria)
  const apart = disjunctiveGroups(criteria)
  const isApart = (group: FacetGroup | null) => group !== null && apart.includes(group)
  const rest: Aggregations = {
    ...merged(ALWAYS.filter((group) => !isApart(group)).map(aggregationsOf(criteria))),
    facetNames: { terms: { field: 'search.facetNames', size: limits.facetNames } },
    facets: { terms: { field: 'search.facets', size: limits.facetTokens }, ...groupsIn(criteria) },
    ...numberAggregations,
    ...chosenAggregation(
      criteria,
      selected.filter((group) => !isApart(group)),
    ),
    ...facetSearchAggregation(criteria, (group) => !isApart(group)),
  }
  return disjunctiveAggregations(criteria, context, {
    rest,
    aggregationsOf: (group) => ({
      ...aggregationsOf(criteria)(group),
      ...facetSearchAggregation(criteria, (other) => other === group),
    }),
  })
}

/** The selected values of facets that their own selection narrows: others have no products. */
function chosenAggregation(criteria: Criteria, groups: readonly FacetGroup[]): Aggregations {
  const include = groups
    .filter((group) => group.startsWith('facet:'))
    .flatMap((group) => chosenTerms(criteria, nameIn(group)))
  if (include.length === 0) return {}
  const terms = { field: 'search.facets', size: include.length, include }
  return { facetsChosen: { terms, ...groupsIn(criteria) } }
}

const merged = (parts: readonly Aggregations[]): Aggregations => Object.assign({}, ...parts)

/** The most frequent values of a facet, and all selected ones however rare they are. */
const aggregationsOf =
  (criteria: Criteria) =>
  (group: FacetGroup): Aggregations => {
    const size = limits.listedNames
    switch (group) {
      case 'manufacturer': {
        const chosen = chosenValues(criteria, 'manufacturer')
        return listed('manufacturers', 'search.manufacturer', { size, chosen, criteria })
      }
      case 'vendor': {
        const chosen = chosenValues(criteria, 'vendor').map((value) => valueTerm(value))
        return vendorAggregation('vendors', offerConditions(criteria), (field, amongOffers) =>
          listed('vendors', field, { size, chosen, criteria, amongOffers }),
        )
      }
      case 'path':
        return listed('paths', 'search.path', { size: limits.listedPaths, criteria })
      case 'price':
        return criteria.counts || criteria.facets?.ranges
          ? priceAggregation(offerConditions(criteria))
          : {}
      default:
        return named(criteria, group)
    }
  }

interface TermsOptions {
  readonly criteria: Criteria
  readonly amongOffers?: boolean
  readonly size: number
  readonly chosen?: readonly string[]
  readonly include?: string
}

function listed(name: string, field: string, options: TermsOptions): Aggregations {
  const { size, chosen = [], include, criteria, amongOffers = false } = options
  const groups = groupsIn(criteria, { amongOffers, buckets: size })
  const rare = { field, size: chosen.length, include: [...chosen] }
  return {
    [name]: { terms: { field, size, ...(include ? { include } : {}) }, ...groups },
    ...(chosen.length === 0 ? {} : { [`${name}Chosen`]: { terms: rare, ...groups } }),
  }
}

/** The aggregation for a facet or a number, by its name. */
function named(criteria: Criteria, group: FacetGroup): Aggregations {
  const name = nameIn(group)
  if (group.startsWith('number:')) return oneNumberAggregation(name)
  return facetValues(criteria, name, chosenTerms(criteria, name))
}

const facetValues = (
  criteria: Criteria,
  name: string,
  chosen: readonly string[] = [],
): Aggregations =>
  listed('values', 'search.facets', {
    criteria,
    size: limits.facetValues,
    chosen,
    include: prefixPattern(token(name, '')),
  })

/** The fields that a facet search looks into. Their terms contain the folded value. */
const SEARCHED = {
  facet: 'search.facets',
  attribute: 'search.attributes',
  manufacturer: 'search.quick',
} as const

function facetSearchAggregation(
  criteria: Criteria,
  here: (group: FacetGroup | null) => boolean,
): Aggregations {
  const { facetSearch } = criteria
  if (facetSearch === null || !here(searchedGroup(criteria))) return {}
  const { type, name, text } = facetSearch
  // Folding can make a text many times longer. A shorter pattern just finds more values.
  const first = [...fold(text ?? '')].slice(0, limits.facetSearchLength).join('')
  const folded = firstBytes(first, KEPT_BYTES)
  const terms = (field: string, prefix: string, amongOffers = false): Aggregations => {
    const include = containsPattern(prefix, folded)
    const groups = groupsIn(criteria, { amongOffers })
    return { found: { terms: { field, size: limits.facetValues, include }, ...groups } }
  }
  if (type === 'vendor') {
    return vendorAggregation('found', offerConditions(criteria), (field, amongOffers) =>
      terms(field, '', amongOffers),
    )
  }
  return terms(SEARCHED[type], type === 'manufacturer' ? quickPrefix('m', '') : token(name!, ''))
}

/**
 * Requests facets again that the first request did not show well. Each is restricted to products
 * that have it, which makes many of them several times faster.
 */
export function facetValuesAggregations(
  criteria: Criteria,
  context: SearchContext,
  names: readonly string[],
): Aggregations {
  const aggs = Object.fromEntries(
    names.map((name, index) => [
      `facet${index}`,
      { filter: term('search.facetNames', name), aggs: facetValues(criteria, name) },
    ]),
  )
  const selections = selectionClauses(criteria, context)
  if (selections.length === 0) return aggs
  return { rest: { filter: every(selections), aggs } }
}
