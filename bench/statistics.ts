import type { Random } from '../demo/random.ts'

/** The quantile `q` (0 to 1) of the values, interpolated; NaN if there are none. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = Float64Array.from(values).sort()
  const place = q * (sorted.length - 1)
  const below = sorted[Math.floor(place)]!
  const above = sorted[Math.ceil(place)]!
  return below + (above - below) * (place - Math.floor(place))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export interface Interval {
  readonly low: number
  readonly high: number
}

const RESAMPLES = 10_000

/**
 * 95 % interval of the median, or of `figure`, by percentile bootstrap. With few values it is their
 * range.
 */
export function bootstrapInterval(
  values: readonly number[],
  random: Random,
  figure: (sample: readonly number[]) => number = median,
): Interval {
  const figures = Array.from({ length: RESAMPLES }, () =>
    figure(values.map(() => random.pick(values))),
  )
  return { low: quantile(figures, 0.025), high: quantile(figures, 0.975) }
}

export type Side = 'A' | 'B'

/** A B B A A B B A …, so that each side comes first equally often and drift favors neither. */
export function blockOrder(pairs: number): Side[] {
  return Array.from({ length: pairs }, (_, pair): Side[] =>
    pair % 2 === 0 ? ['A', 'B'] : ['B', 'A'],
  ).flat()
}

/** B divided by A for each pair of adjacent blocks, in the order of `blockOrder`. */
export function pairRatios(blocks: readonly { side: Side; value: number }[]): number[] {
  const ratios: number[] = []
  for (let i = 0; i + 1 < blocks.length; i += 2) {
    const pair = [blocks[i]!, blocks[i + 1]!]
    const of = (side: Side) => pair.find((block) => block.side === side)!.value
    ratios.push(of('B') / of('A'))
  }
  return ratios
}

/** The x in value = c · size^x, fitted by least squares over the logarithms. */
export function growthExponent(points: readonly { size: number; value: number }[]): number {
  const xs = points.map(({ size }) => Math.log(size))
  const ys = points.map(({ value }) => Math.log(value))
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  const [mx, my] = [mean(xs), mean(ys)]
  const covariance = xs.reduce((sum, x, i) => sum + (x - mx) * (ys[i]! - my), 0)
  const variance = xs.reduce((sum, x) => sum + (x - mx) ** 2, 0)
  return covariance / variance
}

/** Whether the last three windows of a warm-up lie within `tolerance` of each other. */
export function isSteady(rates: readonly number[], tolerance = 0.03): boolean {
  const last = rates.slice(-3)
  if (last.length < 3) return false
  return Math.max(...last) <= Math.min(...last) * (1 + tolerance)
}
