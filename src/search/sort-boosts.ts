import { constant, namedClause, term } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import { partName } from './clause-names.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { DEFAULT_SIGNALS, signalQueries } from './signals.ts'
import { favoriteClause } from './sort.ts'
import type { Tuning } from './tuning/tuning.ts'

/** Scores of the tiers of popular products, less than one more word in the name. */
const TIERS = [0.3, 0.2, 0.1] as const
/** Less than the difference between two tiers, so that stock decides among equally popular ones. */
const IN_STOCK = 0.05

/** Boosts recently chosen products; empty if there are none or popularity does not count. */
function popularityClauses({ popular = [], tuning }: SearchContext, explain: boolean): Query[] {
  const weight = tuning?.ranking.signals.popularity ?? 1
  if (weight === 0) return []
  const tiers = popular
    .slice(0, TIERS.length)
    .map((ids, tier) => constant({ terms: { 'search.id': [...ids] } }, TIERS[tier]! * weight))
  // One clause for all tiers, since clause names must be unique.
  const name = explain && partName('signal', 'popularity')
  return tiers.length === 0 ? [] : [namedClause({ dis_max: { queries: tiers } }, name)]
}

/** Scores for the order `popularity`: recently chosen products, then products in stock. */
function popularityOrder(context: SearchContext, explain: boolean): Query[] {
  const weight = context.tuning?.ranking.signals.inStock ?? 1
  const name = explain && partName('signal', 'inStock')
  const inStock = namedClause(constant(term('search.inStock', true), IN_STOCK * weight), name)
  return [...popularityClauses(context, explain), ...(weight === 0 ? [] : [inStock])]
}

/** Scores for searches without keywords, from all signals of the catalog. */
const signalClauses = (context: SearchContext, explain: boolean): Query[] => [
  ...popularityClauses(context, explain),
  ...signalQueries(context.tuning?.ranking.signals ?? DEFAULT_SIGNALS).map(([name, query, of]) =>
    namedClause(query, explain && partName('signal', name, of)),
  ),
]

/** Orders searches without keywords by signals if the catalog is set so, except in walks. */
export const orderedBySignals = (criteria: Criteria, tuning: Tuning | undefined): Criteria =>
  tuning?.ranking.signals.withoutKeywords &&
  criteria.sort === 'relevance' &&
  criteria.keywords === null &&
  criteria.cursor === null
    ? { ...criteria, bySignals: true }
    : criteria

/** Boosts in the order `relevance`: popularity with keywords, all signals if `bySignals` is set. */
export function relevanceBoosts(criteria: Criteria, context: SearchContext): Query[] {
  const { bySignals, explain, keywords } = criteria
  if (keywords !== null) return popularityClauses(context, explain)
  return bySignals ? signalClauses(context, explain) : []
}

/** Scores for other orders; empty for those that sort by field values. */
export function sortBoosts({ sort, explain }: Criteria, context: SearchContext): Query[] {
  if (sort === 'favorite') return [favoriteClause(context, explain)]
  return sort === 'popularity' ? popularityOrder(context, explain) : []
}
