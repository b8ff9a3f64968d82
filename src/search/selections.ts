import type { Query } from '../elastic/search.ts'
import type { Condition, CriterionType } from '../operation.ts'
import { clauseOf, numberClause, type SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { offerClauses, offerConditions } from './offers.ts'

/** What is one facet to a user: a selection in it does not narrow it. */
export type FacetGroup =
  | 'manufacturer'
  | 'vendor'
  | 'path'
  | 'price'
  | `facet:${string}`
  | `number:${string}`

/** The facet that a condition selects in; null when it belongs to none and narrows everything. */
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

/** The facets in which something is selected, always in the same order. */
export function selectedGroups({ wanted, numbers, price }: Criteria): FacetGroup[] {
  const groups = wanted.map(groupOf).filter((group) => group !== null)
  const named = numbers.map(({ name }) => `number:${name}` as const)
  return [...new Set([...groups, ...named, ...(price ? ['price' as const] : [])])].sort()
}

/** Clauses of all selections, or of those in some facets. Vendor and price meet on the same offer. */
export function selectionClauses(
  criteria: Criteria,
  context: SearchContext,
  isMeant: (group: FacetGroup) => boolean = () => true,
): Query[] {
  const offers = offerConditions(criteria)
  return [
    ...criteria.wanted
      .filter((condition) => {
        const group = groupOf(condition)
        return group !== null && group !== 'vendor' && isMeant(group)
      })
      .map((condition) => clauseOf(condition, context)),
    ...offerClauses({
      ...offers,
      ...(isMeant('vendor') ? {} : { vendors: [] }),
      ...(isMeant('price') ? {} : { price: null }),
    }),
    ...criteria.numbers.filter(({ name }) => isMeant(`number:${name}`)).map(numberClause),
  ]
}

/** Values that are wanted, less those that are excluded: listed even when nothing has them. */
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

/** The name within `facet:name` and `number:name`. */
export const nameIn = (group: FacetGroup): string => group.slice(group.indexOf(':') + 1)
