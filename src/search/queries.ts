import { all, anyOf, none, present } from '../elastic/clauses.ts'
import type { Aggregations, Query, SearchBody } from '../elastic/search.ts'
import { boostClauses, clauseOf, type SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import type { CursorPosition } from './cursor.ts'
import { facetAggregations, facetValuesAggregations } from './facets.ts'
import { collapsed, groupTotalAggregation, variantsBody } from './groups.ts'
import { highlightOf } from './highlight.ts'
import { type KeywordOptions, relaxedQuery, strictQuery } from './keywords.ts'
import { type PlacedPin, pinsBefore, withoutPins } from './pins.ts'
import { namedQuery, rankingQueries, typePrefixQueries } from './ranking.ts'
import { ruleBoostClauses, ruleClauses, withPinned } from './rule-clauses.ts'
import { sourceFor } from './selected-products.ts'
import { groupOf, selectionClauses } from './selections.ts'
import { orderOf } from './sort.ts'
import { relevanceBoosts, sortBoosts } from './sort-boosts.ts'
import { NO_WORDS, type Reading } from './understanding/reading.ts'
import { suggestionsFor, withCorrections } from './understanding/spelling.ts'

export interface SearchBodyOptions {
  readonly reading: Reading
  /** Where a walk continues; undefined on its first page. */
  readonly position?: CursorPosition | undefined
  /** Pinned products, which are excluded from the hits. */
  readonly pins?: readonly PlacedPin[]
}

/** The keyword query of a reading; undefined when there are no words. */
function keywordQuery(
  { mode, asked, corrections }: Reading,
  options: KeywordOptions,
): Query | undefined {
  if (asked === undefined) return undefined
  if (mode === 'strict') return strictQuery(asked, options)
  const read = withCorrections(asked, corrections)
  return relaxedQuery(read, { ...options, anchored: mode === 'ofType' ? 'type' : 'words' })
}

/** All conditions that are not facet selections: stock, other criteria, exclusions and rules. */
function conditionClauses(criteria: Criteria, context: SearchContext): Query[] {
  const { wanted, excluded, inStock, rules } = criteria
  return present([
    inStock ? { term: { 'search.inStock': true } } : undefined,
    ...wanted
      .filter((condition) => groupOf(condition) === null)
      .map((condition) => clauseOf(condition, context)),
    none(excluded.map((condition) => clauseOf(condition, context))),
    ...(rules ? ruleClauses(rules, context) : []),
  ])
}

interface ScoredClauses {
  /** Required, and adds to the score. */
  readonly must: readonly Query[]
  readonly filter: readonly Query[]
  /** Adds to the score, but never filters. */
  readonly should: readonly Query[]
}

/** Splits clauses by their role. Scores are computed only if the order needs them. */
function scored(criteria: Criteria, context: SearchContext, reading: Reading): ScoredClauses {
  const { explain } = criteria
  const keywords = keywordQuery(reading, { scope: context.scope, explain })
  const words = present([withPinned(criteria, keywords)])
  if (criteria.sort !== 'relevance') {
    return { must: [], filter: words, should: sortBoosts(criteria, context) }
  }
  const { asked, corrections } = reading
  return {
    must: words,
    filter: [],
    should: [
      ...(asked
        ? rankingQueries(withCorrections(asked, corrections), {
            explain,
            signals: context.tuning?.ranking.signals,
            // A walk keeps its order from page to page.
            learned: criteria.cursor === null ? context.learned : undefined,
          })
        : []),
      ...relevanceBoosts(criteria, context),
      ...boostClauses(criteria, context),
      ...(criteria.rules ? ruleBoostClauses(criteria.rules, context, explain) : []),
    ],
  }
}

export interface QueryOptions {
  readonly reading: Reading
  /** Facet selections, if nothing has to be counted without them. */
  readonly more?: readonly Query[]
}

/** The query of a search without facet selections, except those in `more`. */
export function baseQuery(
  criteria: Criteria,
  context: SearchContext,
  { reading, more = [] }: QueryOptions,
): Query {
  const { must: words, filter, should } = scored(criteria, context, reading)
  const types = criteria.begunTypes && reading.asked ? typePrefixQueries(reading.asked) : []
  const must = [...words, ...types]
  const conditions = [...filter, ...conditionClauses(criteria, context), ...more]
  return {
    bool: {
      ...(must.length > 0 ? { must } : {}),
      // Without a filter, at least one `should` clause would have to match.
      filter: conditions.length + must.length > 0 ? conditions : [{ match_all: {} }],
      ...(should.length > 0 ? { should: [...should] } : {}),
    },
  }
}

/** One request for products, their total and all facets. */
export function searchBody(
  criteria: Criteria,
  context: SearchContext,
  { reading, position, pins = [] }: SearchBodyOptions,
): SearchBody {
  const selections = selectionClauses(criteria, context)
  const judging = position ? {} : judgingAggregations(criteria, context, reading)
  // Facets, and the counts that judge a reading, leave out the selections.
  const usesPostFilter = criteria.metadata || Object.keys(judging).length > 0
  const walking = criteria.cursor !== null
  return {
    from: criteria.from - pinsBefore(pins, criteria.from),
    // A walk requests one more hit than it shows, to see whether it continues.
    size: criteria.size + (walking ? 1 : 0),
    track_total_hits: true,
    _source: sourceFor(criteria, context.organization),
    query: baseQuery(criteria, context, { reading, more: usesPostFilter ? [] : selections }),
    ...postFilter(present([...(usesPostFilter ? selections : []), withoutPins(pins, criteria)])),
    sort: [...orderOf(criteria).sort],
    ...(criteria.group ? collapsed : {}),
    ...(position && position.after.length > 0 ? { search_after: [...position.after] } : {}),
    ...aggregations(criteria, context, { selections: usesPostFilter ? selections : [], judging }),
    ...(reading.mode === 'strict' && !position ? suggestions(context, reading) : {}),
    ...(criteria.highlight ? { highlight: highlightOf(reading) } : {}),
    ...(criteria.explain ? { include_named_queries_score: true } : {}),
  }
}

export const postFilter = (selections: readonly Query[]): Pick<SearchBody, 'post_filter'> => {
  const filter = all(selections)
  return filter ? { post_filter: filter } : {}
}

/** Requests spelling suggestions for words that the catalog does not have. */
export function suggestions(
  context: SearchContext,
  { asked }: Reading,
): Pick<SearchBody, 'suggest'> {
  const suggest = asked && !context.narrowed && suggestionsFor(asked, context.scope)
  return suggest ? { suggest } : {}
}

interface AggregationOptions {
  /** Selections that are not part of the query. */
  readonly selections?: readonly Query[]
  readonly judging?: Aggregations
}

/** Counts that decide whether to try another reading, regardless of facet selections. */
export function judgingAggregations(
  criteria: Criteria,
  context: SearchContext,
  reading: Reading,
): Aggregations {
  if (reading.mode === 'relaxed') {
    const strict = withPinned(criteria, keywordQuery({ ...reading, mode: 'strict' }, context))
    return strict ? { strict: { filter: strict } } : {}
  }
  // Pinned products match in any case, so they are not counted.
  const others = none([
    anyOf('search.id', criteria.rules?.pins.map(({ product }) => product) ?? []),
  ])
  const any = { filter: others ?? { match_all: {} } }
  if (reading.mode === 'ofType') return { any }
  const named = reading.asked && namedQuery(reading.asked, context.scope)
  return named ? { any, named: { filter: all([named, others])! } } : {}
}

export function aggregations(
  criteria: Criteria,
  context: SearchContext,
  { selections = [], judging = {} }: AggregationOptions,
): Pick<SearchBody, 'aggs'> {
  const aggs = {
    ...(criteria.metadata ? facetAggregations(criteria, context) : {}),
    ...(criteria.group ? groupTotalAggregation(selections) : {}),
    ...judging,
  }
  return Object.keys(aggs).length === 0 ? {} : { aggs }
}

/** Facets of a whole catalog. The same bytes each time, for Elasticsearch's request cache. */
export const metadataBody = (criteria: Criteria, context: SearchContext): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: baseQuery(criteria, context, { reading: NO_WORDS }),
  ...aggregations(criteria, context, {}),
})

/** The second request, for facets that the first one did not show well. */
export const facetValuesBody = (
  criteria: Criteria,
  context: SearchContext,
  { reading, names }: { reading: Reading; names: readonly string[] },
): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: baseQuery(criteria, context, { reading }),
  aggs: facetValuesAggregations(criteria, context, names),
})

/** Requests the variants of a page's groups that match every condition of the search. */
export const pageVariantsBody = (
  criteria: Criteria,
  context: SearchContext,
  { reading, ids, whole }: { reading: Reading; ids: readonly string[]; whole?: boolean },
): SearchBody =>
  variantsBody(
    ids,
    baseQuery({ ...criteria, sort: 'name' }, context, {
      reading,
      more: present([...selectionClauses(criteria, context), anyOf('search.groupId', ids)]),
    }),
    whole,
  )
