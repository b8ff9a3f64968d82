import { bucketsIn } from '../../elastic/answer-parts.ts'
import type { SearchAnswer, SearchBody } from '../../elastic/search.ts'
import { limits } from '../../limits.ts'
import { oneLine } from '../../platform/one-line.ts'
import { fold, SEPARATOR, token } from '../../text.ts'

/** Users who must have made a search before others see it. A user's own are always shown. */
const USERS = 2
/** Days on which anonymous visitors must have made it instead, since they share a user. */
const DAYS = 3

/** Number of queries that are checked, of which some are shown. */
const CANDIDATES = 40

/** Keywords as the history indexes them: folded for the search, then as they are shown. */
export const pastQuery = (keywords: string): string =>
  token(fold(keywords), oneLine(keywords.toLowerCase()))

export interface PastQueriesFor {
  readonly text: string
  readonly catalog: string
  /** The user whose own searches are shown; null for visitors with a search key. */
  readonly username: string | null
  /** `boundsPrint` of a bound key, which sees only queries found within the same bounds. */
  readonly bounds: string | undefined
  readonly now: Date
}

/** Requests the most frequent queries that begin with a text and found all their words. */
export function pastQueriesBody({
  text,
  catalog,
  username,
  bounds,
  now,
}: PastQueriesFor): SearchBody {
  // As a prefix, an empty text would look through the queries of all organizations.
  const begun = fold(text).slice(0, limits.nameLength)
  const since = new Date(now.getTime() - limits.suggestedDays * 24 * 60 * 60 * 1000)
  return {
    size: 0,
    track_total_hits: false,
    terminate_after: limits.suggestedSearches,
    query: {
      bool: {
        filter: [
          begun === '' ? { exists: { field: 'suggestion' } } : { prefix: { suggestion: begun } },
          { term: { catalog } },
          ...(bounds === undefined ? [] : [{ term: { bounds } }]),
          { range: { time: { gte: since.toISOString() } } },
        ],
      },
    },
    aggs: {
      queries: {
        // Uses `map`, since global ordinals would include the queries of all organizations.
        terms: {
          field: 'suggestion',
          size: CANDIDATES,
          execution_hint: 'map',
          collect_mode: 'breadth_first',
        },
        aggs: {
          users: { cardinality: { field: 'username' } },
          ...(username === null ? {} : { own: { filter: { term: { username } } } }),
          pages: {
            filter: { term: { public: true } },
            aggs: {
              days: {
                date_histogram: { field: 'time', calendar_interval: 'day', min_doc_count: 1 },
              },
            },
          },
        },
      },
    },
  }
}

interface QueryBucket {
  readonly key: string
  readonly users: { readonly value: number }
  readonly own?: { readonly doc_count: number }
  readonly pages: { readonly days: { readonly buckets: readonly unknown[] } }
}

const mayBeShown = ({ users, own, pages }: QueryBucket): boolean =>
  users.value >= USERS || (own?.doc_count ?? 0) > 0 || pages.days.buckets.length >= DAYS

/** Queries that may be shown to the caller, the most frequent first. */
export const readPastQueries = (answer: SearchAnswer<unknown>): string[] =>
  bucketsIn<QueryBucket>(answer, 'queries')
    .filter(mayBeShown)
    .map(({ key }) => key.slice(key.lastIndexOf(SEPARATOR) + 1))
    .slice(0, limits.quicksearchValues)
