import type { AggregationNode } from '../elastic/answer-parts.ts'
import { limits } from '../limits.ts'
import { valueTerm } from '../products/search-fields.ts'
import { SEPARATOR } from '../text.ts'
import type { Criteria, Range } from './criteria.ts'
import { partsIn } from './disjunctive-aggregations.ts'
import { type CountedBucket, countOf } from './groups.ts'
import {
  chosenTerms,
  chosenValues,
  disjunctiveGroups,
  type FacetGroup,
  nameIn,
  searchedGroup,
  selectedGroups,
} from './selections.ts'

/** Product counts by value, the most frequent first. */
export type ValueCounts = ReadonlyMap<string, number>

/** The facets in the answer to a request. */
export interface Facets {
  readonly manufacturers: ValueCounts
  readonly vendors: ValueCounts
  /** Keyed by `segment␟category␟subCategory`. */
  readonly paths: ValueCounts
  readonly prices: Range
  readonly facets: ReadonlyMap<string, ValueCounts>
  readonly numbers: ReadonlyMap<string, Range>
  /** Values that facetSearch found; null if it was not requested. */
  readonly found: ValueCounts | null
  /** Facets with too few of their values, which have to be requested again. */
  readonly incomplete: readonly string[]
}

interface TermsBucket extends AggregationNode, CountedBucket {
  readonly key: string
}

const child = (node: AggregationNode | undefined, name: string): AggregationNode | undefined =>
  node?.[name] as AggregationNode | undefined

/** Finds an aggregation by its name, or nested among the offers that fit. */
const find = (
  node: AggregationNode | undefined,
  name: string,
  among = name,
): AggregationNode | undefined =>
  child(node, name) ?? child(child(child(node, `${among}Offers`), 'fitting'), name)

const bucketsOf = (node: AggregationNode | undefined): readonly TermsBucket[] =>
  (node?.buckets as readonly TermsBucket[] | undefined) ?? []

/** Counts by value, sorted again since buckets are sorted by products and not by groups. */
function countsOf(buckets: readonly TermsBucket[]): ValueCounts {
  const counts = new Map<string, number>()
  for (const bucket of buckets) counts.set(bucket.key, countOf(bucket))
  return commonestFirst(counts)
}

function rangeOf(stats: AggregationNode | undefined): Range {
  return {
    min: (stats?.min as number | null | undefined) ?? null,
    max: (stats?.max as number | null | undefined) ?? null,
  }
}

/** Reads the answer to `facetAggregations` of the same criteria. */
export function readFacets(found: AggregationNode, criteria: Criteria): Facets {
  const selected = selectedGroups(criteria)
  const home = partsIn(found, criteria)
  const rest = home(null)
  const apart = disjunctiveGroups(criteria)
  const list = (name: string, group: FacetGroup, chosen: readonly string[]) =>
    withChosen(find(home(group), name), find(home(group), `${name}Chosen`, name), chosen)
  const facet = (group: FacetGroup): [string, ValueCounts] => {
    const name = nameIn(group)
    const chosen = chosenTerms(criteria, name)
    const values = apart.includes(group)
      ? list('values', group, chosen)
      : withChosen(undefined, child(rest, 'facetsChosen'), chosen)
    return [name, valuesOf(values, 'facet')]
  }
  const chosenVendors = chosenValues(criteria, 'vendor').map((value) => valueTerm(value))
  const open = openFacets(rest, selected)
  return {
    manufacturers: list('manufacturers', 'manufacturer', chosenValues(criteria, 'manufacturer')),
    vendors: valuesOf(list('vendors', 'vendor', chosenVendors), 'vendor'),
    paths: list('paths', 'path', []),
    prices: rangeOf(find(home('price'), 'prices')),
    facets: new Map([
      ...selected.filter((group) => group.startsWith('facet:')).map(facet),
      ...open.facets,
    ]),
    numbers: readNumbers(criteria, home),
    found: criteria.facetSearch
      ? valuesOf(
          countsOf(bucketsOf(find(home(searchedGroup(criteria)), 'found'))),
          criteria.facetSearch.type,
        )
      : null,
    incomplete: [...open.incomplete, ...unseen(criteria, open.facets, selected)],
  }
}

/** Facets that a request names but the answer does not have. */
const unseen = (
  { facets }: Criteria,
  open: readonly (readonly [string, ValueCounts])[],
  selected: readonly FacetGroup[],
): string[] =>
  (facets?.names ?? []).filter(
    (name) => !selected.includes(`facet:${name}`) && !open.some(([other]) => other === name),
  )

function withChosen(
  node: AggregationNode | undefined,
  chosen: AggregationNode | undefined,
  wanted: readonly string[],
) {
  const counts = countsOf(bucketsOf(node))
  const rare = countsOf(bucketsOf(chosen))
  if (wanted.length === 0) return counts
  const missing = wanted
    .filter((value) => !counts.has(value))
    .map((value): [string, number] => [value, rare.get(value) ?? 0])
    .sort(([, a], [, b]) => b - a)
  return new Map([...counts, ...missing])
}

/** Index of the value in a term: `Colour␟Rot␟rot`, `Acme␟acme`, `m␟bosch␟Bosch`. */
const VALUE_AT = { facet: 1, attribute: 1, vendor: 0, manufacturer: 2 } as const

/** One part of a term. Avoids `split`, since a search reads a thousand terms. */
function partOf(term: string, place: number): string {
  let start = 0
  for (let left = place; left > 0; left--) start = term.indexOf(SEPARATOR, start) + 1
  const end = term.indexOf(SEPARATOR, start)
  return end === -1 ? term.slice(start) : term.slice(start, end)
}

/** Counts by value instead of by term. */
function valuesOf(terms: ValueCounts, type: keyof typeof VALUE_AT): ValueCounts {
  const values = new Map<string, number>()
  for (const [term, count] of terms) values.set(partOf(term, VALUE_AT[type]), count)
  return values
}

/** Sorts counts, which usually are in order already. */
function commonestFirst(counts: ValueCounts): ValueCounts {
  let before = Number.POSITIVE_INFINITY
  for (const count of counts.values()) {
    if (count > before) return new Map([...counts].sort(([, a], [, b]) => b - a))
    before = count
  }
  return counts
}

/** A facet that shows fewer values is requested again if it has more. */
const WELL_SHOWN = 10

/** The most frequent facets with their values, read from one list of terms of all facets. */
function openFacets(rest: AggregationNode | undefined, selected: readonly FacetGroup[]) {
  const shown = new Map<string, { covered: number; sum: number; values: Map<string, number> }>()
  for (const { key, doc_count } of bucketsOf(child(rest, 'facetNames'))) {
    if (selected.includes(`facet:${key}`)) continue
    shown.set(key, { covered: doc_count, sum: 0, values: new Map() })
  }
  for (const bucket of bucketsOf(child(rest, 'facets'))) {
    const { key } = bucket
    const end = key.indexOf(SEPARATOR)
    const facet = shown.get(key.slice(0, end))
    if (!facet) continue
    facet.sum += bucket.doc_count
    if (facet.values.size < limits.facetValues) facet.values.set(partOf(key, 1), countOf(bucket))
  }
  return {
    facets: [...shown].map(([name, { values }]): [string, ValueCounts] => [
      name,
      commonestFirst(values),
    ]),
    incomplete: [...shown]
      .filter(([, { covered, sum, values }]) => values.size < WELL_SHOWN && sum < covered)
      .map(([name]) => name),
  }
}

/** Reads the answer to `facetValuesAggregations`: the values of facets requested again. */
export function readFacetValues(
  answer: AggregationNode,
  names: readonly string[],
): Map<string, ValueCounts> {
  const home = child(answer, 'rest') ?? answer
  return new Map(
    names.map((name, index) => {
      const values = child(child(home, `facet${index}`), 'values')
      return [name, valuesOf(countsOf(bucketsOf(values)), 'facet')]
    }),
  )
}

/** A selected number is always listed. If no product has it, its range is the selected one. */
function readNumbers(
  criteria: Criteria,
  home: (group: FacetGroup | null) => AggregationNode | undefined,
): Map<string, Range> {
  const open = new Map(
    bucketsOf(child(child(home(null), 'numbers'), 'names')).map((bucket): [string, Range] => [
      bucket.key,
      rangeOf(child(bucket, 'stats')),
    ]),
  )
  const apart = disjunctiveGroups(criteria)
  const chosen = criteria.numbers.map(({ name, min, max }): [string, Range] => {
    const wanted = { min: min ?? max, max: max ?? min }
    if (!apart.includes(`number:${name}`)) return [name, open.get(name) ?? wanted]
    const named = child(child(home(`number:${name}`), 'number'), 'named')
    const range = rangeOf(child(named, 'stats'))
    return [name, range.min === null ? wanted : range]
  })
  return new Map([...open, ...chosen])
}
