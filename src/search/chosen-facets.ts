import type { FacetWishes } from './facet-request-schemas.ts'
import type { ValueCounts } from './read-facets.ts'

type FacetCounts = ReadonlyMap<string, ValueCounts>

/** Values that somebody reads before they give up. */
const READ_VALUES = 10

/**
 * How well a facet narrows what was found: how many products have it, how likely two of them differ
 * in it, and how many are reached by the values that are read. 0 for one value, or none.
 */
export function usefulness(values: ValueCounts): number {
  const counts = [...values.values()].sort((a, b) => b - a)
  const sum = counts.reduce((total, count) => total + count, 0)
  if (sum === 0) return 0
  const alike = counts.reduce((total, count) => total + (count / sum) ** 2, 0)
  const read = counts.slice(0, READ_VALUES).reduce((total, count) => total + count, 0)
  return (1 - alike) * read
}

export interface Choice {
  /** Null: all, as they are counted. */
  readonly wishes: Pick<FacetWishes, 'names' | 'most'> | null
  /** Facets that have a chosen value. */
  readonly selected: readonly string[]
}

/** The facets that are shown, in their order. */
export function chosenFacets(facets: FacetCounts, { wishes, selected }: Choice): FacetCounts {
  if (wishes === null || (wishes.names.length === 0 && wishes.most === null)) return facets
  const { names, most } = wishes
  const first = [...new Set([...names, ...selected])].filter(
    (name) => selected.includes(name) || (facets.get(name)?.size ?? 0) > 0,
  )
  const others =
    most === null
      ? []
      : [...facets]
          .filter(([name]) => !first.includes(name))
          .map(([name, values]) => [name, usefulness(values)] as const)
          .filter(([, score]) => score > 0)
          .sort(([, a], [, b]) => b - a)
          .map(([name]) => name)
          .slice(0, Math.max(0, most - first.length))
  return new Map([...first, ...others].map((name) => [name, facets.get(name) ?? new Map()]))
}
