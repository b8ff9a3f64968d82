import { constant, named, term } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import { partName } from './clause-names.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { DEFAULT_SIGNALS, signalQueries } from './signals.ts'
import { favoriteClause } from './sort.ts'
import type { Tuning } from './tuning/tuning.ts'

/** What the tiers of popular products are worth; less than a word more in the name. */
const TIERS = [0.3, 0.2, 0.1] as const
/** Below the difference between two tiers: among equally popular ones what is in stock comes first. */
const IN_STOCK = 0.05

/** Lifts what the organization's people chose lately; nothing where nobody chose, or nobody asked. */
function popularityClauses({ popular = [], tuning }: SearchContext, explain: boolean): Query[] {
  const weight = tuning?.ranking.signals.popularity ?? 1
  if (weight === 0) return []
  const tiers = popular
    .slice(0, TIERS.length)
    .map((ids, tier) => constant({ terms: { 'search.id': [...ids] } }, TIERS[tier]! * weight))
  // One clause for all, since each name may be given once.
  const name = explain ? partName('signal', 'popularity') : undefined
  return tiers.length === 0 ? [] : [named({ dis_max: { queries: tiers } }, name)]
}

/** Scores for the order `popularity`: what was chosen lately, then what is in stock. */
function popularityOrder(context: SearchContext, explain: boolean): Query[] {
  const weight = context.tuning?.ranking.signals.inStock ?? 1
  const name = explain ? partName('signal', 'inStock') : undefined
  const inStock = named(constant(term('search.inStock', true), IN_STOCK * weight), name)
  return [...popularityClauses(context, explain), ...(weight === 0 ? [] : [inStock])]
}

/** Scores for products that nobody searched words for: by all signals of the catalog. */
const signalClauses = (context: SearchContext, explain: boolean): Query[] => [
  ...popularityClauses(context, explain),
  ...signalQueries(context.tuning?.ranking.signals ?? DEFAULT_SIGNALS).map(([name, query, of]) =>
    named(query, explain ? partName('signal', name, of) : undefined),
  ),
]

/** The order of products that nobody searched words for, as the shop sets it; a walk has its own. */
export const orderedBySignals = (criteria: Criteria, tuning: Tuning | undefined): Criteria =>
  tuning?.ranking.signals.withoutKeywords &&
  criteria.sort === 'relevance' &&
  criteria.keywords === null &&
  criteria.cursor === null
    ? { ...criteria, bySignals: true }
    : criteria

/** Lifts in the order `relevance`: popularity beside words, all signals without where the shop says so. */
export function popularLifts(criteria: Criteria, context: SearchContext): Query[] {
  const { bySignals, explain, keywords } = criteria
  if (keywords !== null) return popularityClauses(context, explain)
  return bySignals ? signalClauses(context, explain) : []
}

/** The scores of other orders; none where an order goes by values. */
export function orderLifts({ sort, explain }: Criteria, context: SearchContext): Query[] {
  if (sort === 'favorite') return [favoriteClause(context, explain)]
  return sort === 'popularity' ? popularityOrder(context, explain) : []
}
