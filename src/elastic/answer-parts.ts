import type { Query, SearchAnswer, SearchBody } from './search.ts'

/** What a search counts, which follows from what matches: whatever the page, the order and lifts. */
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

/** The page of a search alone, for who knows what it counts. */
export const pageBody = ({ aggs, suggest, ...body }: SearchBody): SearchBody => ({
  ...body,
  track_total_hits: false,
})

/** What finds the same, without what only lifts. */
function matching(query: Query | undefined): Query | undefined {
  const { must = [], filter = [], should, ...more } = query?.bool ?? {}
  const clauses = [must, filter].flat()
  // Without another clause one of those that lift has to hold.
  const isPlain = clauses.length > 0 && Object.keys(more).length === 0
  return isPlain ? { bool: { filter: clauses } } : query
}

/** The page of an answer, and what is counted beside it. */
interface AnswerParts<T> {
  readonly page: SearchAnswer<T>
  readonly counts: SearchAnswer<T>
}

/** Nothing of it is copied: who has the parts changes neither. */
export function partsOf<T>(answer: SearchAnswer<T>): AnswerParts<T> {
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

/** The page of a search that begins behind all that it finds; undefined where it may have hits. */
export function emptyPage<T>(
  { from = 0, search_after }: SearchBody,
  counts: SearchAnswer<T>,
): SearchAnswer<T> | undefined {
  const { total } = counts.hits
  const isCounted = typeof total === 'object' && total.relation === 'eq'
  return isCounted && !search_after && total.value <= from ? counts : undefined
}

/** The answer that has both. */
export const joined = <T>({ page, counts }: AnswerParts<T>): SearchAnswer<T> => {
  const { aggregations, suggest, hits } = counts
  return {
    ...page,
    hits: { ...page.hits, ...defined({ total: hits.total }) },
    ...defined({ aggregations, suggest }),
  }
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

const defined = <T extends object>(fields: T): Partial<Defined<T>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Defined<T>
  >
