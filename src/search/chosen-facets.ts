import type { FacetWishes } from './facet-request-schemas.ts'
import type { ValueCounts } from './read-facets.ts'
import type { FacetSettings } from './tuning/schemas.ts'

type FacetCounts = ReadonlyMap<string, ValueCounts>

/** Number of values that a user is assumed to read. */
const READ_VALUES = 10

/**
 * How well a facet narrows a result: the probability that two products differ in it, times the
 * number of products under its READ_VALUES most frequent values. 0 for one value or none.
 */
export function usefulness(values: ValueCounts): number {
  const counts = [...values.values()].sort((a, b) => b - a)
  const sum = counts.reduce((total, count) => total + count, 0)
  if (sum === 0) return 0
  const alike = counts.reduce((total, count) => total + (count / sum) ** 2, 0)
  const read = counts.slice(0, READ_VALUES).reduce((total, count) => total + count, 0)
  return (1 - alike) * read
}

export interface FacetChoice {
  /** What the request asks for; null when it has no `facets`. */
  readonly wishes: Pick<FacetWishes, 'names' | 'most'> | null
  readonly settings?: FacetSettings | undefined
  /** Facets with a selected value. */
  readonly selected: readonly string[]
}

const NO_WISHES = { names: [], most: null } as const
const NO_SETTINGS: FacetSettings = { order: [], hidden: [], shown: null }

/** The facets to show, in order. Without settings and wishes, all in their given order. */
export function chosenFacets(
  facets: FacetCounts,
  { wishes, settings, selected }: FacetChoice,
): FacetCounts {
  const { names, most } = wishes ?? NO_WISHES
  const { order, hidden, shown } = settings ?? NO_SETTINGS
  const isSelected = (name: string) => selected.includes(name)
  const isShown = (name: string) =>
    isSelected(name) || (!hidden.includes(name) && (facets.get(name)?.size ?? 0) > 0)
  const exactly = names.length > 0 && most === null
  const number = exactly ? names.length : (most ?? shown)
  if (number === null && order.length + hidden.length === 0) return facets
  const first = [...names, ...(exactly ? [] : order)].filter(isShown)
  const others = [...facets.keys()].filter((name) => !first.includes(name) && isShown(name))
  const wanted = [...new Set(first), ...(exactly ? [] : ranked(facets, others, number))]
  const cut = number === null ? wanted : wanted.slice(0, number)
  const chosen = selected.filter((name) => !cut.includes(name))
  return new Map([...cut, ...chosen].map((name) => [name, facets.get(name) ?? new Map()]))
}

/** When not all facets are shown, the most useful come first and useless ones are left out. */
function ranked(facets: FacetCounts, names: readonly string[], most: number | null): string[] {
  if (most === null) return [...names]
  return names
    .map((name) => [name, usefulness(facets.get(name)!)] as const)
    .filter(([, score]) => score > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name]) => name)
}
