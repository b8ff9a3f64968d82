import type { Query } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import type { Condition, CriterionType } from '../operation.ts'
import { valueTerm } from '../products/search-fields.ts'
import { clauseOf, numberClause, type SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { offerClauses, offerConditions } from './offers.ts'

/** A facet as users see it. A selection in it does not narrow its own values. */
export type FacetGroup =
  | 'manufacturer'
  | 'vendor'
  | 'path'
  | 'price'
  | `facet:${string}`
  | `number:${string}`

/** The facet to which a condition belongs; null if none, so that it narrows everything. */
export function groupOf({ type, name }: Condition): FacetGroup | null {
  switch (type) {
    case 'manufacturer':
    case 'vendor':
      return type
    case 'segment':
    case 'category':
    case 'subCategory':
    case 'categoryPath':
      return 'path'
    case 'facet':
      return `facet:${name!}`
    default:
      return null
  }
}

/** The facets with a selection, in a fixed order. */
export function selectedGroups({ wanted, numbers, price }: Criteria): FacetGroup[] {
  const groups = wanted.map(groupOf).filter((group) => group !== null)
  const named = numbers.map(({ name }) => `number:${name}` as const)
  return [...new Set([...groups, ...named, ...(price ? ['price' as const] : [])])].sort()
}

/** The facet in whose values a request searches; null for none, and for attributes. */
export function searchedGroup({ facetSearch }: Criteria): FacetGroup | null {
  if (facetSearch === null || facetSearch.type === 'attribute') return null
  return facetSearch.type === 'facet' ? `facet:${facetSearch.name!}` : facetSearch.type
}

/**
 * The selected facets that are counted without their own selection, in the order of
 * `selectedGroups`. Each costs several aggregations, so of those with a name there are a few.
 */
export function disjunctiveGroups(criteria: Criteria): FacetGroup[] {
  const selected = selectedGroups(criteria)
  const named = selected.filter((group) => group.includes(':'))
  const searched = named.filter((group) => group === searchedGroup(criteria))
  const counted = new Set([...searched, ...named].slice(0, limits.disjunctiveFacets))
  return selected.filter((group) => !group.includes(':') || counted.has(group))
}

/** Clauses of all selections, or of some facets. Vendor and price apply to the same offer. */
export function selectionClauses(
  criteria: Criteria,
  context: SearchContext,
  isIncluded: (group: FacetGroup) => boolean = () => true,
): Query[] {
  const offers = offerConditions(criteria)
  return [
    ...criteria.wanted
      .filter((condition) => {
        const group = groupOf(condition)
        return group !== null && group !== 'vendor' && isIncluded(group)
      })
      .map((condition) => clauseOf(condition, context)),
    ...offerClauses({
      ...offers,
      ...(isIncluded('vendor') ? {} : { vendors: [] }),
      ...(isIncluded('price') ? {} : { price: null }),
    }),
    ...criteria.numbers.filter(({ name }) => isIncluded(`number:${name}`)).map(numberClause),
  ]
}

/** Selected values without excluded ones. They are listed even if no product has them. */
export function chosenValues(
  { wanted, excluded }: Criteria,
  type: CriterionType,
  name: string | null = null,
): string[] {
  const valuesIn = (conditions: readonly Condition[]) =>
    conditions
      .filter((condition) => condition.type === type && condition.name === name)
      .flatMap(({ values }) => values)
  const refused = new Set(valuesIn(excluded))
  return [...new Set(valuesIn(wanted))].filter((value) => !refused.has(value)).sort()
}

/** The terms of the selected values of a facet. */
export const chosenTerms = (criteria: Criteria, name: string): string[] =>
  chosenValues(criteria, 'facet', name).map((value) => valueTerm(name, value))

/** The name in `facet:name` or `number:name`. */
export const nameIn = (group: FacetGroup): string => group.slice(group.indexOf(':') + 1)
