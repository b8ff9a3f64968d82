import type { AggregationNode } from '../elastic/answer-parts.ts'
import { every, term } from '../elastic/clauses.ts'
import type { Aggregations, Query } from '../elastic/search.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import {
  disjunctiveGroups,
  type FacetGroup,
  nameIn,
  selectedGroups,
  selectionClauses,
} from './selections.ts'

export interface CountedParts {
  /** What every selection narrows. */
  readonly rest: Aggregations
  /** What is counted of one facet; nothing if it is empty. */
  readonly aggregationsOf: (group: FacetGroup) => Aggregations
}

/** Prefix for the names of filters that several facets share. */
const SHARED = 'shared'

/**
 * Gives each disjunctive facet a filter with every selection but its own, and `rest` one with all
 * selections. Without selections there is no filter.
 */
export function disjunctiveAggregations(
  criteria: Criteria,
  context: SearchContext,
  { rest, aggregationsOf }: CountedParts,
): Aggregations {
  const selected = selectedGroups(criteria)
  if (selected.length === 0) return rest
  const clausesOf = (groups: readonly FacetGroup[]) =>
    selectionClauses(criteria, context, (group) => groups.includes(group))
  // Price and vendor apply to the same offer, so they need one clause.
  const isApart = (group: FacetGroup) =>
    group === 'price' || group === 'vendor' || Object.keys(aggregationsOf(group)).length > 0
  const groups = disjunctiveGroups(criteria).filter(isApart)
  const parts = { clausesOf, aggregationsOf, all: selected }
  const aggs = {
    rest: { filter: every(clausesOf(groups)), aggs: rest },
    ...ownAggregations(groups, parts),
  }
  const narrowing = selected.filter((group) => !groups.includes(group))
  return narrowing.length === 0 ? aggs : { [SHARED]: { filter: every(clausesOf(narrowing)), aggs } }
}

interface OwnParts extends Pick<CountedParts, 'aggregationsOf'> {
  readonly all: readonly FacetGroup[]
  readonly clausesOf: (groups: readonly FacetGroup[]) => Query[]
}

/**
 * One filter for each of some facets, with the selections in the others of them. Halves of the
 * facets share nested filters, since repeating all selections in each would make many clauses.
 */
function ownAggregations(groups: readonly FacetGroup[], parts: OwnParts): Aggregations {
  const middle = groups.length >> 1
  // Price and vendor, which apply to the same offer, sort last and so are separated last.
  const halves = [groups.slice(0, middle), groups.slice(middle)].filter((half) => half.length > 0)
  const { all: selected, clausesOf, aggregationsOf } = parts
  return Object.assign(
    {},
    ...halves.map((half): Aggregations => {
      const clauses = clausesOf(groups.filter((group) => !half.includes(group)))
      const [group] = half
      if (half.length > 1) {
        const name = `${SHARED}${selected.indexOf(group!)}`
        return { [name]: { filter: every(clauses), aggs: ownAggregations(half, parts) } }
      }
      const filter = every([...clauses, ...hasFacet(group!)])
      return { [ownName(selected, group!)]: { filter, aggs: aggregationsOf(group!) } }
    }),
  )
}

/** Restricts to products that have the facet, since others add nothing to its values. */
const hasFacet = (group: FacetGroup): Query[] =>
  group.startsWith('facet:') ? [term('search.facetNames', nameIn(group))] : []

/** The aggregation name of a group. Facet names are free text and not valid as such names. */
const ownName = (selected: readonly FacetGroup[], group: FacetGroup): string =>
  `own${selected.indexOf(group)}`

/** Finds the part of an answer that counts a facet; null stands for what every selection narrows. */
export function partsIn(
  found: AggregationNode,
  criteria: Criteria,
): (group: FacetGroup | null) => AggregationNode | undefined {
  const selected = selectedGroups(criteria)
  if (selected.length === 0) return () => found
  const answer = withoutShared(found)
  const apart = new Set<FacetGroup | null>(disjunctiveGroups(criteria))
  return (group) =>
    answer[group !== null && apart.has(group) ? ownName(selected, group) : 'rest'] as
      | AggregationNode
      | undefined
}

/** Removes the levels of filters that several facets share. */
const withoutShared = (answer: AggregationNode): AggregationNode =>
  Object.fromEntries(
    Object.entries(answer).flatMap(([name, inside]) =>
      name.startsWith(SHARED)
        ? Object.entries(withoutShared(inside as AggregationNode))
        : [[name, inside]],
    ),
  )
