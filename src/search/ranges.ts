import type { Range } from './criteria.ts'

/** Approximate number of ranges for a price or a number. */
const MOST = 8
/** If `max` is at least this many times `min`, ranges grow logarithmically. */
const WIDE = 50
/** If the minimum is 0, this share of the maximum is used instead. */
const LEAST_SHARE = 1 / 1_000
/** Maximum number of slider steps between both ends. */
const STEPS = 100

const FACTORS = [1, 2, 5] as const
/** Factors for each power of ten. The first series with few enough edges is used. */
const SERIES = [[1, 2, 5], [1, 5], [1]] as const

/** Removes floating-point noise, as in 0.30000000000000004. */
const rounded = (number: number): number => Number(number.toPrecision(12))

/** Rounds up to 1, 2 or 5 times a power of ten. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = FACTORS.find((one) => rounded(one * power) >= rounded(least)) ?? 10
  return rounded(factor * power)
}

/** A slider step between two numbers; an integer if both are integers. */
export function suggestedStep(min: number, max: number): number {
  if (!isSpread(min, max)) return 1
  const step = roundStep((max - min) / STEPS)
  return Number.isInteger(min) && Number.isInteger(max) ? Math.max(1, step) : step
}

const isSpread = (min: number, max: number): boolean => max > min && Number.isFinite(max - min)

/** Round numbers that divide a range into parts; empty if it has a single value. */
export function roundEdges({ min, max }: Range): number[] {
  if (min === null || max === null || !isSpread(min, max)) return []
  const least = min === 0 ? max * LEAST_SHARE : min
  const edges = least > 0 && max / least >= WIDE ? growing(least, max) : even(min, max)
  return edges.filter((edge) => edge > min && edge < max)
}

function growing(min: number, max: number): number[] {
  const first = Math.floor(Math.log10(min))
  const last = Math.ceil(Math.log10(max))
  const powers = Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at))
  const all = SERIES.map((factors) =>
    powers
      .flatMap((power) => factors.map((factor) => rounded(factor * power)))
      .filter((edge) => edge > min && edge < max),
  )
  const few = all.find((edges) => edges.length < MOST) ?? all.at(-1)!
  const each = Math.ceil(few.length / (MOST - 1))
  return few.filter((_, at) => at % each === 0)
}

function even(min: number, max: number): number[] {
  const step = roundStep((max - min) / MOST)
  const first = Math.floor(min / step) + 1
  return Array.from({ length: MOST }, (_, at) => rounded((first + at) * step))
}

/** The ranges between two ends and the edges between them, in ascending order. */
export function rangesBetween({ min, max }: Range, edges: readonly number[]): Range[] {
  const ends = [min, ...edges, max]
  return ends.slice(1).map((end, at) => ({ min: ends[at]!, max: end }))
}
