import type { estypes } from '@elastic/elasticsearch'
import { constant, namedClause, term } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import { favoriteToken } from '../products/criterion-clauses.ts'
import { partName } from './clause-names.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { offerConditions, priceSort } from './offers.ts'

/** The type of a sort value in an answer and in a cursor. */
export type SortKind = 'number' | 'whole' | 'text'

export interface Order {
  readonly sort: readonly estypes.SortCombinations[]
  readonly kinds: readonly SortKind[]
}

type SortKey = readonly [estypes.SortCombinations, SortKind]

const ID: SortKey = [{ 'search.id': { order: 'asc' } }, 'text']
const SCORE: SortKey = [{ _score: { order: 'desc' } }, 'number']

const name = (order: 'asc' | 'desc'): SortKey => [
  { 'search.nameSort': { order, missing: '_last' } },
  'text',
]

/** The order of an answer. Every order ends with the product's id. */
export function orderOf(criteria: Criteria): Order {
  const keys = [...keysOf(criteria), ID]
  return { sort: keys.map(([sort]) => sort), kinds: keys.map(([, kind]) => kind) }
}

/** The names of the sort keys in an order. */
export const orderKeys = (criteria: Criteria): (OrderKey | 'price')[] =>
  orderOf(criteria).sort.map((key) => KEY_NAMES[Object.keys(key)[0]!] ?? 'price')

type OrderKey = 'score' | 'id' | 'name' | 'updated'

const KEY_NAMES: Readonly<Record<string, OrderKey>> = {
  _score: 'score',
  'search.id': 'id',
  'search.nameSort': 'name',
  'search.updated': 'updated',
}

/** Whether the order is by how well the words match. */
export const isByWords = ({ sort, keywords }: Criteria): boolean =>
  sort === 'relevance' && keywords !== null

function keysOf(criteria: Criteria): SortKey[] {
  switch (criteria.sort) {
    case 'relevance':
      if (isByWords(criteria)) return [SCORE]
      return criteria.bySignals || criteria.boosted.length > 0 || criteria.rules?.boosts.length
        ? [SCORE, name('asc')]
        : [name('asc')]
    case 'price':
      return [[priceSort(offerConditions(criteria), 'asc'), 'number']]
    case '-price':
      return [[priceSort(offerConditions(criteria), 'desc'), 'number']]
    case 'name':
      return [name('asc')]
    case '-name':
      return [name('desc')]
    case 'updated':
      return [[{ 'search.updated': { order: 'desc', missing: 0 } }, 'whole']]
    case 'favorite':
    case 'popularity':
      return [SCORE, name('asc')]
  }
}

/** Scores for the order `favorite`: the caller's favorites, the organization's, then the rest. */
export function favoriteClause(context: SearchContext, explain: boolean): Query {
  const scored = (value: string, boost: number): Query =>
    constant(term('search.favorites', favoriteToken(value, context)), boost)
  const query = { dis_max: { queries: [scored('user', 2), scored('company', 1)] } }
  return namedClause(query, explain && partName('signal', 'favorite'))
}
