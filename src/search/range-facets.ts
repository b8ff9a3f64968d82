import type { AggregationNode } from '../elastic/answer-parts.ts'
import { term } from '../elastic/clauses.ts'
import type { Aggregations } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria, Range } from './criteria.ts'
import { disjunctiveAggregations, partsIn } from './disjunctive-aggregations.ts'
import type { RangeFacets } from './facet-response-schemas.ts'
import { type CountedBucket, countOf, groupsIn } from './groups.ts'
import { priceRangesAggregation } from './offers.ts'
import { rangesBetween, roundEdges, suggestedStep } from './ranges.ts'
import type { Facets } from './read-facets.ts'
import { disjunctiveGroups, type FacetGroup } from './selections.ts'

type CountedRange = RangeFacets['price'][number]

/** A value that is divided into ranges: the price or one of the most frequent numbers. */
interface Cut {
  readonly name: string
  readonly group: FacetGroup
  readonly range: Range
  readonly edges: readonly number[]
}

function cutsOf({ prices, numbers }: Pick<Facets, 'prices' | 'numbers'>): Cut[] {
  const price = { name: 'price', group: 'price' as const, range: prices }
  const named = [...numbers]
    .slice(0, limits.rangedNumbers)
    .map(([name, range]) => ({ name, group: `number:${name}` as const, range }))
  return [price, ...named].map((one) => ({ ...one, edges: roundEdges(one.range) }))
}

const nameOf = (cut: number): string => `range${cut}`

/** Ranges of each value, numbered, as names are free text. */
export function rangeAggregations(
  criteria: Criteria,
  context: SearchContext,
  facets: Pick<Facets, 'prices' | 'numbers'>,
): Aggregations {
  const byGroup = new Map(
    cutsOf(facets).flatMap(({ name, group, edges }, at): [FacetGroup, Aggregations][] => {
      if (edges.length === 0) return []
      const ranges = [undefined, ...edges].map((from, index) => ({
        ...(from === undefined ? {} : { from }),
        ...(index < edges.length ? { to: edges[index]! } : {}),
      }))
      const aggs =
        group === 'price'
          ? priceRangesAggregation(criteria, ranges)
          : numberRangesAggregation(criteria, name, ranges)
      return [[group, { [nameOf(at)]: { filter: { match_all: {} }, aggs } }]]
    }),
  )
  const apart = disjunctiveGroups(criteria)
  const rest = [...byGroup].filter(([group]) => !apart.includes(group)).map(([, aggs]) => aggs)
  return disjunctiveAggregations(criteria, context, {
    rest: Object.assign({}, ...rest),
    aggregationsOf: (group) => byGroup.get(group) ?? {},
  })
}

const numberRangesAggregation = (
  criteria: Criteria,
  name: string,
  ranges: readonly { from?: number; to?: number }[],
): Aggregations => ({
  number: {
    nested: { path: 'search.numbers' },
    aggs: {
      fitting: {
        filter: term('search.numbers.name', name),
        aggs: {
          ranges: {
            range: { field: 'search.numbers.value', ranges: [...ranges] },
            ...groupsIn(criteria, { amongOffers: true }),
          },
        },
      },
    },
  },
})

/** Reads the answer to `rangeAggregations` for the same criteria and facets. */
export function readRanges(
  answer: AggregationNode,
  criteria: Criteria,
  facets: Pick<Facets, 'prices' | 'numbers'>,
): RangeFacets {
  const partOf = partsIn(answer, criteria)
  const [price, ...numbers] = cutsOf(facets).map((cut, at) => ({
    ...cut,
    ranges: countedRanges(cut, partOf(cut.group)?.[nameOf(at)] as AggregationNode | undefined),
  }))
  return {
    price: price!.ranges,
    numbers: numbers
      .filter(({ ranges }) => ranges.length > 0)
      .map(({ name, range, ranges }) => ({
        name,
        min: range.min!,
        max: range.max!,
        step: suggestedStep(range.min!, range.max!),
        ranges,
      })),
  }
}

function countedRanges({ range, edges }: Cut, node: AggregationNode | undefined): CountedRange[] {
  const buckets = node === undefined ? [] : rangesIn(node)
  if (buckets.length === 0) return []
  return rangesBetween(range, edges).map(({ min, max }, at) => ({
    min: min!,
    max: max!,
    count: countOf(buckets[at]!),
  }))
}

/** The buckets of products, or of their nested numbers or offers. */
function rangesIn(node: AggregationNode): readonly CountedBucket[] {
  const inside = (node.number ?? node.rangesOffers) as AggregationNode | undefined
  const home = (inside?.fitting ?? node) as AggregationNode
  return (home.ranges as { buckets: readonly CountedBucket[] }).buckets
}
