import type { Query } from '../elastic/search.ts'
import type { Condition, CriterionType } from '../operation.ts'
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

/** The name in `facet:name` or `number:name`. */
export const nameIn = (group: FacetGroup): string => group.slice(group.indexOf(':') + 1)
