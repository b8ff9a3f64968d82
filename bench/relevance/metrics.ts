import type { Random } from '../../demo/random.ts'
import { bootstrapInterval, type Interval } from '../statistics.ts'

/** Grades that people gave to products for one query, from 0 (wrong) to 3 (right). */
export type Grades = ReadonlyMap<string, number>

/** Number of top hits that count. */
export const FIRST = 10

/** The lowest grade that counts as relevant in binary figures. */
const RELEVANT = 1

const gain = (grade: number): number => 2 ** grade - 1

const discounted = (grades: readonly number[]): number =>
  grades.slice(0, FIRST).reduce((sum, grade, at) => sum + gain(grade) / Math.log2(at + 2), 0)

/**
 * nDCG@10 with the gain 2^grade - 1; a product without a grade counts as 0. NaN if none is
 * relevant.
 */
export function ndcg(ids: readonly string[], grades: Grades): number {
  const found = discounted(ids.map((id) => grades.get(id) ?? 0))
  const ideal = discounted([...grades.values()].sort((a, b) => b - a))
  return ideal === 0 ? Number.NaN : found / ideal
}

/** Only the hits that have a grade, in their order, for figures that ignore what nobody judged. */
export const judgedOnly = (ids: readonly string[], grades: Grades): string[] =>
  ids.filter((id) => grades.has(id))

/** 1 divided by the rank of the first hit that `isRight`; 0 if it is not among the first ten. */
export function reciprocalRank(ids: readonly string[], isRight: (id: string) => boolean): number {
  const at = ids.slice(0, FIRST).findIndex(isRight)
  return at === -1 ? 0 : 1 / (at + 1)
}

export const isRelevant =
  (grades: Grades) =>
  (id: string): boolean =>
    (grades.get(id) ?? 0) >= RELEVANT

/**
 * Relevant products among the first ten, as a share of the highest possible number. NaN if none is
 * relevant.
 */
export function recall(ids: readonly string[], grades: Grades): number {
  const all = [...grades.keys()].filter(isRelevant(grades)).length
  const found = ids.slice(0, FIRST).filter(isRelevant(grades)).length
  return all === 0 ? Number.NaN : found / Math.min(all, FIRST)
}

/** The mean, ignoring NaN; NaN if there are no values. */
export function mean(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value))
  return known.reduce((sum, value) => sum + value, 0) / known.length
}

export interface Estimate {
  readonly mean: number
  /** 95 % confidence interval. */
  readonly interval: Interval
}

/** The mean, ignoring NaN, and its bootstrap interval. */
export function estimate(values: readonly number[], random: Random): Estimate {
  const known = values.filter((value) => !Number.isNaN(value))
  return { mean: mean(known), interval: bootstrapInterval(known, random, mean) }
}
