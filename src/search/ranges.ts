import type { Range } from './criteria.ts'

/** Ranges that are shown of a price or a number. */
const MOST = 8
/** From this ratio of the ends on, ranges grow with their numbers. */
const WIDE = 50
/** Where numbers begin at 0, so much of the greatest stands for the least. */
const LEAST_SHARE = 1 / 1_000
/** Steps of a slider from end to end, at most. */
const STEPS = 100

const FACTORS = [1, 2, 5] as const
/** Of each power of ten; the first that has few enough. */
const SERIES = [[1, 2, 5], [1, 5], [1]] as const

/** Without what adding up fractions leaves: 0.30000000000000004. */
const rounded = (number: number): number => Number(number.toPrecision(12))

/** The least of 1, 2 and 5 times a power of ten that is no less. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = FACTORS.find((one) => rounded(one * power) >= rounded(least)) ?? 10
  return rounded(factor * power)
}

/** A step for choosing between two numbers; a whole one between whole ones. */
export function suggestedStep(min: number, max: number): number {
  if (!isSpread(min, max)) return 1
  const step = roundStep((max - min) / STEPS)
  return Number.isInteger(min) && Number.isInteger(max) ? Math.max(1, step) : step
}

const isSpread = (min: number, max: number): boolean => max > min && Number.isFinite(max - min)

/** Round numbers between two ends, at which they are cut into ranges; none where there is one value. */
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

/** The ranges between two ends and the edges within, the least first. */
export function rangesBetween({ min, max }: Range, edges: readonly number[]): Range[] {
  const ends = [min, ...edges, max]
  return ends.slice(1).map((end, at) => ({ min: ends[at]!, max: end }))
}
