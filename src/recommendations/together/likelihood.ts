/** Numbers of workspaces that contain two products. */
export interface CooccurrenceCounts {
  /** Workspaces that contain both. */
  readonly both: number
  readonly one: number
  readonly other: number
  readonly all: number
}

/** Fewer common workspaces are considered chance. */
const SUPPORT = 2

/**
 * How much more often two products occur together than their frequencies suggest, 0 to 1
 * (log-likelihood ratio, Dunning 1993); 0 with too few common workspaces, or by chance.
 */
export function togetherness({ both, one, other, all }: CooccurrenceCounts): number {
  const lift = (both * all) / (one * other)
  if (both < SUPPORT || lift <= 1) return 0
  const ratio = logLikelihoodRatio([both, one - both, other - both, all - one - other + both])
  return ratio / (ratio + HALF)
}

/** The ratio that scores one half. By chance alone, one in forty pairs exceeds it. */
const HALF = 5

function logLikelihoodRatio([a, b, c, d]: readonly [number, number, number, number]): number {
  const rows = entropy(a + b, c + d)
  const columns = entropy(a + c, b + d)
  return Math.max(0, 2 * (rows + columns - entropy(a, b, c, d)))
}

/** Shannon entropy, times the sum of the counts. */
function entropy(...counts: readonly number[]): number {
  const sum = counts.reduce((total, count) => total + count, 0)
  return xlogx(sum) - counts.reduce((total, count) => total + xlogx(count), 0)
}

const xlogx = (x: number): number => (x > 0 ? x * Math.log(x) : 0)
