/** The numerator and the denominator of a rate for one group of visitors. */
export interface Counts {
  readonly part: number
  readonly all: number
}

/** The difference of two rates with its 95 % confidence interval. */
export interface RateDifference {
  /** null when the denominator of either rate is 0. */
  readonly value: number | null
  /** Lower bound; like `high` null when there are too few groups or they do not vary. */
  readonly low: number | null
  readonly high: number | null
}

/** With fewer independent groups, the variance cannot be estimated. */
const LEAST_GROUPS = 10

const UNKNOWN = { low: null, high: null } as const

/**
 * Returns the second rate minus the first, each the sum of `part` divided by the sum of `all`. The
 * interval follows from the variance between independent groups (delta method, Student's t).
 */
export function rateDifference(
  first: readonly Counts[],
  second: readonly Counts[],
): RateDifference {
  const [a, b] = [estimateOf(first), estimateOf(second)]
  if (!a || !b) return { value: null, ...UNKNOWN }
  const value = b.rate - a.rate
  const groups = Math.min(a.groups, b.groups)
  // Without any variance between groups there is no estimate of chance.
  if (groups < LEAST_GROUPS || a.variance === 0 || b.variance === 0) return { value, ...UNKNOWN }
  const reach = quantile(groups - 1) * Math.sqrt(a.variance + b.variance)
  return { value, low: value - reach, high: value + reach }
}

interface Estimate {
  readonly rate: number
  /** Variance of the rate. */
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

/**
 * Two-sided 95 % quantile of Student's t, by the Cornish-Fisher expansion. Accurate to 0.001 from 9
 * degrees of freedom.
 */
export function quantile(degrees: number): number {
  const z = NORMAL
  return (
    z +
    (z ** 3 + z) / (4 * degrees) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  )
}
