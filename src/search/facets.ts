import { all, term } from '../elastic/clauses.ts'
import { containsPattern, prefixPattern } from '../elastic/patterns.ts'
import type { Aggregations, Query } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import { quickPrefix, valueTerm } from '../products/search-fields.ts'
import { fold, token } from '../text.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { groupsIn } from './groups.ts'
import { numberAggregations, oneNumberAggregation } from './number-aggregations.ts'
import { offerConditions, priceAggregation, vendorAggregation } from './offers.ts'
import {
  chosenValues,
  type FacetGroup,
  nameIn,
  selectedGroups,
  selectionClauses,
} from './selections.ts'

/** Facets that every search counts, whether they have a selection or not. */
const ALWAYS: readonly FacetGroup[] = ['manufacturer', 'vendor', 'path', 'price']

/**
 * Aggregations for all facets. Each selected facet gets a filter with every selection but its own,
 * and the others share one with all selections. Without selections there is no filter.
 */
export function facetAggregations(criteria: Criteria, context: SearchContext): Aggregations {
  const selected = selectedGroups(criteria)
  const open: Aggregations = {
    ...merged(ALWAYS.filter((group) => !selected.includes(group)).map(aggregationsOf(criteria))),
    facetNames: { terms: { field: 'search.facetNames', size: limits.facetNames } },
    facets: { terms: { field: 'search.facets', size: limits.facetTokens }, ...groupsIn(criteria) },
    ...numberAggregations,
    ...facetSearchAggregation(criteria, (group) => group === null || !selected.includes(group)),
  }
  if (selected.length === 0) return open
  return {
    rest: { filter: every(selectionClauses(criteria, context)), aggs: open },
    ...ownAggregations(criteria, context, { all: selected, groups: selected }),
  }
}

interface OwnGroups {
  readonly all: readonly FacetGroup[]
  /** The groups of `all` at this level. Selections in the others are already applied around it. */
  readonly groups: readonly FacetGroup[]
}

/**
 * One filter for each facet, with the selections in the others. Halves of the facets share nested
 * filters, since repeating a hundred selections in each would make ten thousand clauses.
 */
function ownAggregations(
  criteria: Criteria,
  context: SearchContext,
  { all, groups }: OwnGroups,
): Aggregations {
  const middle = groups.length >> 1
  // Price and vendor, which apply to the same offer, sort last and so are separated last.
  const halves = [groups.slice(0, middle), groups.slice(middle)].filter((half) => half.length > 0)
  return merged(
    halves.map((half) => {
      const others = groups.filter((group) => !half.includes(group))
      const clauses = selectionClauses(criteria, context, (group) => others.includes(group))
      const [group] = half
      if (half.length > 1) {
        const aggs = ownAggregations(criteria, context, { all, groups: half })
        return { [`${SHARED}${all.indexOf(group!)}`]: { filter: every(clauses), aggs } }
      }
      return {
        [ownName(all, group!)]: {
          filter: every([...clauses, ...hasFacet(group!)]),
          aggs: {
            ...aggregationsOf(criteria)(group!),
            ...facetSearchAggregation(criteria, (other) => other === group),
          },
        },
      }
    }),
  )
}

/** Prefix for the names of filters that several facets share. */
export const SHARED = 'shared'

/** Restricts to products that have the facet, since others add nothing to its values. */
const hasFacet = (group: FacetGroup): Query[] =>
  group.startsWith('facet:') ? [term('search.facetNames', nameIn(group))] : []

/** The aggregation name of a group. Facet names are free text and not valid as such names. */
export const ownName = (selected: readonly FacetGroup[], group: FacetGroup): string =>
  `own${selected.indexOf(group)}`

const every = (clauses: readonly Query[]): Query => all(clauses) ?? { match_all: {} }

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
  return facetValues(
    criteria,
    name,
    chosenValues(criteria, 'facet', name).map((value) => valueTerm(name, value)),
  )
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

/** The facet in whose values a request searches; null for none, and for attributes. */
export function searchedGroup({ facetSearch }: Criteria): FacetGroup | null {
  if (facetSearch === null || facetSearch.type === 'attribute') return null
  return facetSearch.type === 'facet' ? `facet:${facetSearch.name!}` : facetSearch.type
}

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
  const folded = [...fold(text ?? '')].slice(0, limits.facetSearchLength).join('')
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
