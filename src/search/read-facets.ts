import { limits } from '../limits.ts'
import { valueTerm } from '../products/search-fields.ts'
import { SEPARATOR } from '../text.ts'
import type { Criteria, Range } from './criteria.ts'
import { ownName, SHARED, searchedGroup } from './facets.ts'
import { type CountedBucket, countOf } from './groups.ts'
import { chosenValues, type FacetGroup, nameIn, selectedGroups } from './selections.ts'

/** Products by value, the commonest first. */
export type ValueCounts = ReadonlyMap<string, number>

/** What the aggregations of one request say. */
export interface Facets {
  readonly manufacturers: ValueCounts
  readonly vendors: ValueCounts
  /** By `segment␟category␟subCategory`. */
  readonly paths: ValueCounts
  readonly prices: Range
  readonly facets: ReadonlyMap<string, ValueCounts>
  readonly numbers: ReadonlyMap<string, Range>
  /** Values that facetSearch found; null when it was not asked for. */
  readonly found: ValueCounts | null
  /** Facets that show too few of their values: to be asked again. */
  readonly incomplete: readonly string[]
}

/** An aggregation's answer, as far as we read it. */
export interface AggregationNode {
  readonly [name: string]: unknown
}

interface TermsBucket extends AggregationNode, CountedBucket {
  readonly key: string
}

const child = (node: AggregationNode | undefined, name: string): AggregationNode | undefined =>
  node?.[name] as AggregationNode | undefined

/** Under its own name, or among the offers that fit. */
const find = (
  node: AggregationNode | undefined,
  name: string,
  among = name,
): AggregationNode | undefined =>
  child(node, name) ?? child(child(child(node, `${among}Offers`), 'fitting'), name)

const bucketsOf = (node: AggregationNode | undefined): readonly TermsBucket[] =>
  (node?.buckets as readonly TermsBucket[] | undefined) ?? []

/** The commonest first, also by groups, where buckets come by their products. */
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
  const answer = flat(found)
  const rest = selected.length === 0 ? answer : child(answer, 'rest')
  const home = (group: FacetGroup | null) =>
    group !== null && selected.includes(group) ? child(answer, ownName(selected, group)) : rest
  const list = (name: string, group: FacetGroup, chosen: readonly string[]) =>
    withChosen(find(home(group), name), find(home(group), `${name}Chosen`, name), chosen)
  const facet = (group: FacetGroup): [string, ValueCounts] => {
    const name = nameIn(group)
    const chosen = chosenValues(criteria, 'facet', name).map((value) => valueTerm(name, value))
    return [name, valuesOf(list('values', group, chosen), 'facet')]
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
    numbers: readNumbers(rest, criteria, home),
    found: criteria.facetSearch
      ? valuesOf(
          countsOf(bucketsOf(find(home(searchedGroup(criteria)), 'found'))),
          criteria.facetSearch.type,
        )
      : null,
    incomplete: [...open.incomplete, ...unseen(criteria, open.facets, selected)],
  }
}

/** What several facets have in common stands around their own. */
const flat = (answer: AggregationNode): AggregationNode =>
  Object.fromEntries(
    Object.entries(answer).flatMap(([name, inside]) =>
      name.startsWith(SHARED) ? Object.entries(flat(inside as AggregationNode)) : [[name, inside]],
    ),
  )

/** Facets that a request names and that are not among the commonest. */
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

/** Place of the value in a term: `Colour␟Rot␟rot`, `Acme␟acme`, `m␟bosch␟Bosch`. */
const VALUE_AT = { facet: 1, attribute: 1, vendor: 0, manufacturer: 2 } as const

/** One part of a term: a search reads a thousand terms, and only one part of each. */
function partOf(term: string, place: number): string {
  let start = 0
  for (let left = place; left > 0; left--) start = term.indexOf(SEPARATOR, start) + 1
  const end = term.indexOf(SEPARATOR, start)
  return end === -1 ? term.slice(start) : term.slice(start, end)
}

/** Terms as the values that they stand for. */
function valuesOf(terms: ValueCounts, type: keyof typeof VALUE_AT): ValueCounts {
  const values = new Map<string, number>()
  for (const [term, count] of terms) values.set(partOf(term, VALUE_AT[type]), count)
  return values
}

/** Mostly they are so already. */
function commonestFirst(counts: ValueCounts): ValueCounts {
  let before = Number.POSITIVE_INFINITY
  for (const count of counts.values()) {
    if (count > before) return new Map([...counts].sort(([, a], [, b]) => b - a))
    before = count
  }
  return counts
}

/** A facet that shows fewer values than this is asked again when it has more. */
const WELL_SHOWN = 10

/** The most covered names with their values, out of one list of tokens of all names. */
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
  const isIncomplete = ({
    covered,
    sum,
    values,
  }: {
    covered: number
    sum: number
    values: ValueCounts
  }) => values.size < WELL_SHOWN && sum < covered
  return {
    facets: [...shown].map(([name, { values }]): [string, ValueCounts] => [
      name,
      commonestFirst(values),
    ]),
    incomplete: [...shown].filter(([, facet]) => isIncomplete(facet)).map(([name]) => name),
  }
}

/** The answer to `facetValuesAggregations`: better values for the names that were asked again. */
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

/** A selected number is always there; where no product has it, its own ends stand for its range. */
function readNumbers(
  rest: AggregationNode | undefined,
  { numbers }: Criteria,
  home: (group: FacetGroup) => AggregationNode | undefined,
): Map<string, Range> {
  const chosen = numbers.map(({ name, min, max }): [string, Range] => {
    const named = child(child(home(`number:${name}`), 'number'), 'named')
    const range = rangeOf(child(named, 'stats'))
    return [name, range.min === null ? { min: min ?? max, max: max ?? min } : range]
  })
  const open = bucketsOf(child(child(rest, 'numbers'), 'names')).map((bucket): [string, Range] => [
    bucket.key,
    rangeOf(child(bucket, 'stats')),
  ])
  return new Map([...open, ...chosen])
}
