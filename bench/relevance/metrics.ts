import type { Random } from '../../demo/random.ts'
import { bootstrapInterval, type Interval } from '../statistics.ts'

/** Grades of the products that people judged for one query, from 0 (wrong) to 3 (right). */
export type Grades = ReadonlyMap<string, number>

/** Hits that are looked at. */
export const FIRST = 10

/** Products with this grade or a higher one are relevant, where a figure knows only yes and no. */
const RELEVANT = 1

const gain = (grade: number): number => 2 ** grade - 1

const discounted = (grades: readonly number[]): number =>
  grades.slice(0, FIRST).reduce((sum, grade, at) => sum + gain(grade) / Math.log2(at + 2), 0)

/** nDCG@10 with the gain 2^grade - 1; a product without a grade counts as 0. NaN where none is relevant. */
export function ndcg(ids: readonly string[], grades: Grades): number {
  const found = discounted(ids.map((id) => grades.get(id) ?? 0))
  const ideal = discounted([...grades.values()].sort((a, b) => b - a))
  return ideal === 0 ? Number.NaN : found / ideal
}

/** The hits that somebody judged, in their order: what the grades say of it without those that nobody did. */
export const judgedOnly = (ids: readonly string[], grades: Grades): string[] =>
  ids.filter((id) => grades.has(id))

/** 1 divided by the place of the first hit that `isRight`; 0 when it is not among the first ten. */
export function reciprocalRank(ids: readonly string[], isRight: (id: string) => boolean): number {
  const at = ids.slice(0, FIRST).findIndex(isRight)
  return at === -1 ? 0 : 1 / (at + 1)
}

export const isRelevant =
  (grades: Grades) =>
  (id: string): boolean =>
    (grades.get(id) ?? 0) >= RELEVANT

/** Relevant products among the first ten, of as many as there could be. NaN where none is relevant. */
export function recall(ids: readonly string[], grades: Grades): number {
  const all = [...grades.keys()].filter(isRelevant(grades)).length
  const found = ids.slice(0, FIRST).filter(isRelevant(grades)).length
  return all === 0 ? Number.NaN : found / Math.min(all, FIRST)
}

/** The mean of the values that are numbers; NaN for none. */
export function mean(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value))
  return known.reduce((sum, value) => sum + value, 0) / known.length
}

export interface Estimate {
  readonly mean: number
  /** 95 %. */
  readonly interval: Interval
}

/** The mean of the values that are numbers, and its bootstrap interval. */
export function estimate(values: readonly number[], random: Random): Estimate {
  const known = values.filter((value) => !Number.isNaN(value))
  return { mean: mean(known), interval: bootstrapInterval(known, random, mean) }
}
