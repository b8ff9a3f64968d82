import { anyOf, present } from '../elastic/clauses.ts'
import type { SearchBody } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import type { SearchContext } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { highlightOf } from './highlight.ts'
import { activePins, type PlacedPin, placedPins } from './pins.ts'
import { baseQuery } from './queries.ts'
import { sourceFor } from './selected-products.ts'
import { selectionClauses } from './selections.ts'
import { type SearchTarget, searchContextOf } from './target.ts'
import { NO_WORDS, type Reading, readingOf } from './understanding/reading.ts'

/** Finds the pinned products, with one more request if rules pin any. */
export async function findPins(
  target: SearchTarget,
  criteria: Criteria,
): Promise<readonly PlacedPin[]> {
  if (activePins(criteria).length === 0) return []
  const { products, signal, walk } = target
  const body = pinsBody(criteria, searchContextOf(target), readingOf(criteria, target))
  const options = { signal, pointInTime: walk?.pointInTime, most: limits.answerBytes }
  return placedPins(await products.search(body, options), criteria)
}

/** Requests the pinned products that match all conditions of the search except its words. */
function pinsBody(criteria: Criteria, context: SearchContext, reading: Reading): SearchBody {
  const ids = activePins(criteria).map(({ product }) => product)
  const more = present([...selectionClauses(criteria, context), anyOf('search.id', ids)])
  return {
    size: ids.length,
    track_total_hits: false,
    _source: sourceFor(criteria, context.organization),
    query: baseQuery({ ...criteria, sort: 'name' }, context, { reading: NO_WORDS, more }),
    ...(criteria.highlight ? { highlight: highlightOf(reading) } : {}),
  }
}
