import { all, none, present } from '../elastic/clauses.ts'
import type { Query, SearchBody } from '../elastic/search.ts'
import { viewSource } from '../products/view.ts'
import { boostClauses, clauseOf, type SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import type { CursorPosition, Mode } from './cursor.ts'
import { facetAggregations, facetValuesAggregations } from './facets.ts'
import { highlightOf } from './highlight.ts'
import { brevityQuery, relaxedQuery, strictQuery, wordsOf } from './keywords.ts'
import { groupOf, selectionClauses } from './selections.ts'
import { favoriteClause, orderOf } from './sort.ts'

export interface SearchBodyOptions {
  readonly mode: Mode
  /** Where a walk by cursor goes on; undefined on its first page. */
  readonly position?: CursorPosition | undefined
}

/** The keyword query of a mode; undefined when there are no words. */
function keywordQuery(
  { keywords }: Criteria,
  { scope }: Pick<SearchContext, 'scope'>,
  mode: Mode,
): Query | undefined {
  const words = keywords === null ? [] : wordsOf(keywords)
  if (words.length === 0) return undefined
  return mode === 'strict' ? strictQuery(words) : relaxedQuery(words, scope)
}

/** Everything that is no facet: words, stock, plain criteria, and what is excluded. */
function conditionClauses(criteria: Criteria, context: SearchContext): Query[] {
  const { wanted, excluded, inStock } = criteria
  return present([
    inStock ? { term: { 'search.inStock': true } } : undefined,
    ...wanted
      .filter((condition) => groupOf(condition) === null)
      .map((condition) => clauseOf(condition, context)),
    none(excluded.map((condition) => clauseOf(condition, context))),
  ])
}

interface ScoredClauses {
  /** Words count for the score, or only decide. */
  readonly must: readonly Query[]
  readonly filter: readonly Query[]
  /** Lifts, never filters. */
  readonly should: readonly Query[]
}

/** Scores are worked out only where the order needs them. */
function scored(criteria: Criteria, context: SearchContext, mode: Mode): ScoredClauses {
  const words = present([keywordQuery(criteria, context, mode)])
  if (criteria.sort === 'favorite') {
    return { must: [], filter: words, should: [favoriteClause(context)] }
  }
  if (criteria.sort !== 'relevance') return { must: [], filter: words, should: [] }
  return {
    must: words,
    filter: [],
    should: [
      ...words.map(() => brevityQuery(wordsOf(criteria.keywords!))),
      ...boostClauses(criteria, context),
    ],
  }
}

export interface QueryOptions {
  readonly mode: Mode
  /** Facet selections, where nothing is counted without them. */
  readonly more?: readonly Query[]
}

/** What a product must be to match. */
export function baseQuery(
  criteria: Criteria,
  context: SearchContext,
  { mode, more = [] }: QueryOptions,
): Query {
  const { must, filter, should } = scored(criteria, context, mode)
  const conditions = [...filter, ...conditionClauses(criteria, context), ...more]
  return {
    bool: {
      ...(must.length > 0 ? { must: [...must] } : {}),
      // Without a clause that filters, lifting clauses would.
      filter: conditions.length + must.length > 0 ? conditions : [{ match_all: {} }],
      ...(should.length > 0 ? { should: [...should] } : {}),
    },
  }
}

/** One request for products, their total and all facets. */
export function searchBody(
  criteria: Criteria,
  context: SearchContext,
  { mode, position }: SearchBodyOptions,
): SearchBody {
  const selections = selectionClauses(criteria, context)
  // Facets, and the question whether words match anything, are counted without selections.
  const apart = criteria.metadata || mode === 'relaxed'
  const walking = criteria.cursor !== null
  return {
    from: criteria.from,
    // One more than a walk shows: whether it goes on.
    size: criteria.size + (walking ? 1 : 0),
    track_total_hits: true,
    _source: viewSource(context.organization),
    query: baseQuery(criteria, context, { mode, more: apart ? [] : selections }),
    ...postFilter(apart ? selections : []),
    sort: [...orderOf(criteria).sort],
    ...(position ? { search_after: [...position.after] } : {}),
    ...aggregations(criteria, context, mode),
    ...(criteria.highlight ? { highlight: highlightOf(criteria, mode) } : {}),
  }
}

const postFilter = (selections: readonly Query[]): Pick<SearchBody, 'post_filter'> => {
  const filter = all(selections)
  return filter ? { post_filter: filter } : {}
}

function aggregations(
  criteria: Criteria,
  context: SearchContext,
  mode: Mode,
): Pick<SearchBody, 'aggs'> {
  const strict = mode === 'relaxed' ? keywordQuery(criteria, context, 'strict') : undefined
  if (!criteria.metadata && !strict) return {}
  return {
    aggs: {
      ...(criteria.metadata ? facetAggregations(criteria, context) : {}),
      ...(strict ? { strict: { filter: strict } } : {}),
    },
  }
}

/** Facets alone, of the whole catalog; the same bytes each time, for Elasticsearch's request cache. */
export const metadataBody = (criteria: Criteria, context: SearchContext): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: baseQuery(criteria, context, { mode: 'strict' }),
  ...aggregations(criteria, context, 'strict'),
})

/** The second look at facets of which the first request showed too little. */
export const facetValuesBody = (
  criteria: Criteria,
  context: SearchContext,
  { mode, names }: { mode: Mode; names: readonly string[] },
): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: baseQuery(criteria, context, { mode }),
  aggs: facetValuesAggregations(criteria, context, names),
})

/** Every condition in one query, since `_count` knows no post_filter. */
export const countQuery = (criteria: Criteria, context: SearchContext): Query =>
  baseQuery({ ...criteria, sort: 'name' }, context, {
    mode: 'strict',
    more: selectionClauses(criteria, context),
  })

/** The total with fewer words, and whether all words match anything at all. */
export const relaxedCountBody = (criteria: Criteria, context: SearchContext): SearchBody => ({
  size: 0,
  track_total_hits: true,
  query: baseQuery({ ...criteria, sort: 'name' }, context, { mode: 'relaxed' }),
  ...postFilter(selectionClauses(criteria, context)),
  ...aggregations({ ...criteria, metadata: false }, context, 'relaxed'),
})
