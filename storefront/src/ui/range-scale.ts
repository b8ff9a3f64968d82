import type { Range } from '../shop/types.ts'

/** The boundaries of adjacent ranges, ascending. */
export const edgesOf = (ranges: readonly Range[]): number[] =>
  ranges.length === 0 ? [] : [ranges[0]!.min, ...ranges.map(({ max }) => max)]

/** The position of a number on a scale of equally spaced edges; fractional between two edges. */
export function placeOf(edges: readonly number[], number: number): number {
  const last = edges.length - 1
  const above = edges.findIndex((edge) => edge >= number)
  if (above === -1) return last
  if (above === 0) return 0
  const low = edges[above - 1]!
  const high = edges[above]!
  return above - 1 + (number - low) / (high - low)
}
