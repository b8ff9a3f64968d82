import { defined } from '../platform/defined.ts'
import type { Query, SearchAnswer, SearchBody } from './search.ts'

/** The counts of a search, which depend only on what matches, not on page, order or boosts. */
export const countsBody = ({
  query,
  post_filter,
  aggs,
  suggest,
  track_total_hits,
  filter_path,
}: SearchBody): SearchBody => ({
  size: 0,
  ...defined({ query: matching(query), post_filter, aggs, suggest, track_total_hits, filter_path }),
})

/** The page of a search without its counts, for callers who have those already. */
export const pageBody = ({ aggs, suggest, ...body }: SearchBody): SearchBody => ({
  ...body,
  track_total_hits: false,
})

/** A query that matches the same documents, without clauses that only boost. */
function matching(query: Query | undefined): Query | undefined {
  const { must = [], filter = [], should, ...more } = query?.bool ?? {}
  const clauses = [must, filter].flat()
  // Without any other clause, at least one of the boosting clauses has to match.
  const isPlain = clauses.length > 0 && Object.keys(more).length === 0
  return isPlain ? { bool: { filter: clauses } } : query
}

/** The page of an answer, and its counts. */
interface AnswerParts<T> {
  readonly page: SearchAnswer<T>
  readonly counts: SearchAnswer<T>
}

/** Splits an answer without copying: callers must change neither part. */
export function splitAnswer<T>(answer: SearchAnswer<T>): AnswerParts<T> {
  const { aggregations, suggest, hits, ...about } = answer
  const { total, ...page } = hits
  return {
    page: { ...about, hits: page },
    counts: {
      ...about,
      hits: { hits: [], ...defined({ total }) },
      ...defined({ aggregations, suggest }),
    },
  }
}

/** The empty page of a search that starts after its last hit; undefined when there may be hits. */
export function emptyPage<T>(
  { from = 0, search_after }: SearchBody,
  counts: SearchAnswer<T>,
): SearchAnswer<T> | undefined {
  const { total } = counts.hits
  const isCounted = typeof total === 'object' && total.relation === 'eq'
  return isCounted && !search_after && total.value <= from ? counts : undefined
}

/** Joins page and counts into one answer. */
export const joinAnswer = <T>({ page, counts }: AnswerParts<T>): SearchAnswer<T> => {
  const { aggregations, suggest, hits } = counts
  return {
    ...page,
    hits: { ...page.hits, ...defined({ total: hits.total }) },
    ...defined({ aggregations, suggest }),
  }
}

interface CountedTerm {
  readonly key: string
  readonly doc_count: number
}
export type Aggregated = Pick<SearchAnswer<unknown>, 'aggregations'>

/** The buckets of an aggregation; none where there is nothing to count, as without an index. */
export const bucketsIn = <B = CountedTerm>(answer: Aggregated, name: string): readonly B[] =>
  (answer.aggregations?.[name] as { readonly buckets?: readonly B[] } | undefined)?.buckets ?? []

/** The number of documents that a filter among the aggregations matches. */
export const countIn = (answer: Aggregated, name: string): number =>
  (answer.aggregations?.[name] as { readonly doc_count?: number } | undefined)?.doc_count ?? 0

/** The parts of an aggregation result that are read. */
export interface AggregationNode {
  readonly [name: string]: unknown
}
