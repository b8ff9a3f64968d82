import { randomFrom } from '../../demo/random.ts'
import type { Interval } from '../statistics.ts'
import {
  type Estimate,
  estimate,
  FIRST,
  type Grades,
  isRelevant,
  judgedOnly,
  mean,
  ndcg,
  recall,
  reciprocalRank,
} from './metrics.ts'
import { type Found, forEach, type Searchers, type Side } from './searchers.ts'

/** A rated query with the hits of both sides. */
export interface AnsweredQuery {
  readonly query: string
  readonly grades: Grades
  readonly found: Readonly<Record<Side, Found>>
}

interface RatedFigures {
  readonly ndcg: Estimate
  /** nDCG over only the hits that have a grade, as if the others were not there. */
  readonly judged: Estimate
  readonly mrr: number
  readonly recall: number
  /** Number of queries without hits. */
  readonly empty: number
  /** Share of the first ten hits that have a grade; nobody judged the others. */
  readonly labelled: number
}

interface JudgedQuery {
  readonly query: string
  readonly aisle: number
  readonly plain: number
  /** nDCG of Aisle over only the hits that have a grade. */
  readonly judged: number
  /** How many of Aisle's first ten hits have a grade. */
  readonly labelled: number
}

export interface RatedRow {
  readonly queries: number
  /** Queries for which no product of the catalog is relevant, and which have no nDCG. */
  readonly withoutRelevant: readonly string[]
  readonly sides: Readonly<Record<Side, RatedFigures>>
  /** nDCG of Aisle minus that of plain, query by query. */
  readonly difference: { readonly mean: number; readonly interval: Interval }
  /** Queries more than MOST_LOST worse than plain, the worst first. */
  readonly lost: readonly JudgedQuery[]
  readonly worst: readonly JudgedQuery[]
}

const MOST_LOST = 0.2
const WORST = 20
/** Number of hits to fetch, so that enough of them have a grade. */
const DEEP = { size: 250 } as const

/** Runs every rated query on both sides. */
export const askRated = (
  queries: ReadonlyMap<string, Grades>,
  search: Searchers,
): Promise<AnsweredQuery[]> =>
  forEach([...queries], async ([query, grades]) => ({
    query,
    grades,
    found: { aisle: await search.aisle(query, DEEP), plain: await search.plain(query, DEEP) },
  }))

/** Computes the row of the report from the answers. Pure. */
export function ratedRow(answered: readonly AnsweredQuery[]): RatedRow {
  const judged = answered
    .map(({ query, grades, found }) => ({
      query,
      aisle: ndcg(found.aisle.ids, grades),
      plain: ndcg(found.plain.ids, grades),
      judged: ndcg(judgedOnly(found.aisle.ids, grades), grades),
      labelled: judgedOnly(found.aisle.ids.slice(0, FIRST), grades).length,
    }))
    .filter(({ aisle }) => !Number.isNaN(aisle))
  const judgedQueries = new Set(judged.map(({ query }) => query))
  const lostBy = ({ aisle, plain }: JudgedQuery): number => plain - aisle
  return {
    queries: answered.length,
    withoutRelevant: answered
      .map(({ query }) => query)
      .filter((query) => !judgedQueries.has(query)),
    sides: { aisle: figuresOf(answered, 'aisle'), plain: figuresOf(answered, 'plain') },
    difference: estimate(
      judged.map((one) => -lostBy(one)),
      randomFrom('difference'),
    ),
    lost: judged
      .filter((one) => lostBy(one) > MOST_LOST)
      .sort((one, other) => lostBy(other) - lostBy(one)),
    worst: judged.toSorted((one, other) => one.aisle - other.aisle).slice(0, WORST),
  }
}

function figuresOf(answered: readonly AnsweredQuery[], side: Side): RatedFigures {
  const all = answered.map(({ grades, found }) => ({ grades, ...found[side] }))
  const shown = all.flatMap(({ ids, grades }) => ids.slice(0, FIRST).map((id) => grades.has(id)))
  const rankable = all.filter(({ grades }) => [...grades.keys()].some(isRelevant(grades)))
  return {
    ndcg: estimate(
      all.map(({ ids, grades }) => ndcg(ids, grades)),
      randomFrom('ndcg'),
    ),
    judged: estimate(
      all.map(({ ids, grades }) => ndcg(judgedOnly(ids, grades), grades)),
      randomFrom('judged'),
    ),
    mrr: mean(rankable.map(({ ids, grades }) => reciprocalRank(ids, isRelevant(grades)))),
    recall: mean(all.map(({ ids, grades }) => recall(ids, grades))),
    empty: all.filter(({ total }) => total === 0).length,
    labelled: shown.filter(Boolean).length / shown.length,
  }
}
