/** What was counted of some visitors: of `all` searches in `part` something came of it. */
export interface Counts {
  readonly part: number
  readonly all: number
}

/** How much higher a rate is than another one, and between what with 95 % confidence. */
export interface RateDifference {
  /** null where one of both is of nothing. */
  readonly value: number | null
  /** null, both, of too few visitors. */
  readonly low: number | null
  readonly high: number | null
}

/** Fewer independent groups say nothing of how far they scatter. */
const LEAST_GROUPS = 10

const UNKNOWN = { low: null, high: null } as const

/**
 * The difference of two rates, each the sum of parts by the sum of all, with its interval by how far
 * independent groups scatter around their rate (delta method, Student's t).
 */
export function rateDifference(
  first: readonly Counts[],
  second: readonly Counts[],
): RateDifference {
  const [a, b] = [estimateOf(first), estimateOf(second)]
  if (!a || !b) return { value: null, ...UNKNOWN }
  const value = b.rate - a.rate
  const groups = Math.min(a.groups, b.groups)
  // Where all is alike nothing says how far chance goes.
  if (groups < LEAST_GROUPS || a.variance === 0 || b.variance === 0) return { value, ...UNKNOWN }
  const reach = quantile(groups - 1) * Math.sqrt(a.variance + b.variance)
  return { value, low: value - reach, high: value + reach }
}

interface Estimate {
  readonly rate: number
  /** Of the rate. */
  readonly variance: number
  readonly groups: number
}

function estimateOf(counts: readonly Counts[]): Estimate | undefined {
  const counted = counts.filter(({ all }) => all > 0)
  const sum = (of: (one: Counts) => number) => counted.reduce((total, one) => total + of(one), 0)
  const all = sum((one) => one.all)
  if (all === 0) return undefined
  const rate = sum((one) => one.part) / all
  const groups = counted.length
  const scatter = sum((one) => (one.part - rate * one.all) ** 2)
  return { rate, groups, variance: (groups / Math.max(1, groups - 1)) * (scatter / all ** 2) }
}

const NORMAL = 1.959964

/** Of Student's t: 95 % are within it on both sides. Cornish and Fisher's expansion; right to 0.001 from 9. */
export function quantile(degrees: number): number {
  const z = NORMAL
  return (
    z +
    (z ** 3 + z) / (4 * degrees) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  )
}
