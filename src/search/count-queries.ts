import type { SearchBody } from '../elastic/search.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { aggregations, baseQuery, judgingAggregations, postFilter, suggestions } from './queries.ts'
import { selectionClauses } from './selections.ts'
import type { Reading } from './understanding/reading.ts'

/** All conditions in one query, since `_count` has no `post_filter`. */
export const countQuery = (criteria: Criteria, context: SearchContext, reading: Reading) =>
  baseQuery({ ...criteria, sort: 'name' }, context, {
    reading,
    more: selectionClauses(criteria, context),
  })

/** A count with what `_count` lacks: groups, suggestions and the counts that judge a reading. */
export function countBody(
  criteria: Criteria,
  context: SearchContext,
  reading: Reading,
): SearchBody {
  const selections = selectionClauses(criteria, context)
  const judging = judgingAggregations(criteria, context, reading)
  const plain = { ...criteria, metadata: false }
  return {
    size: 0,
    track_total_hits: true,
    query: baseQuery({ ...criteria, sort: 'name' }, context, { reading }),
    ...postFilter(selections),
    ...aggregations(plain, context, { selections, judging }),
    ...(reading.mode === 'strict' ? suggestions(context, reading) : {}),
  }
}

/** Requests only spelling suggestions for words that the catalog does not have. */
export const suggestionsBody = (context: SearchContext, reading: Reading): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: { match_none: {} },
  ...suggestions(context, reading),
})
