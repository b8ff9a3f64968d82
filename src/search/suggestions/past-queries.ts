import type { SearchAnswer, SearchBody } from '../../elastic/search.ts'
import { limits } from '../../limits.ts'
import { fold, SEPARATOR, token } from '../../text.ts'

/** Users whose search others are shown; whoever made it is always shown it. */
const USERS = 2
/** Days on which the visitors of pages, who are not told apart, must have made it instead. */
const DAYS = 3

/** Queries that are looked at more closely, out of which some are shown. */
const CANDIDATES = 40

/** Keywords as the history is searched for them: folded, then as they are shown. */
export const pastQuery = (keywords: string): string =>
  token(fold(keywords), keywords.toLowerCase().replace(/\s+/g, ' ').trim())

export interface PastQueriesFor {
  readonly text: string
  readonly catalog: string
  /** Whose own searches are shown; null for visitors of pages. */
  readonly username: string | null
  /** Of a bound key: only what was found within the same bounds is shown. */
  readonly bounds: string | undefined
  readonly now: Date
}

/** The commonest searches of a catalog that begin with a text and found all their words. */
export function pastQueriesBody({
  text,
  catalog,
  username,
  bounds,
  now,
}: PastQueriesFor): SearchBody {
  const since = new Date(now.getTime() - limits.suggestedDays * 24 * 60 * 60 * 1000)
  return {
    size: 0,
    track_total_hits: false,
    terminate_after: limits.suggestedSearches,
    query: {
      bool: {
        filter: [
          { prefix: { suggestion: fold(text).slice(0, limits.nameLength) } },
          { term: { catalog } },
          ...(bounds === undefined ? [] : [{ term: { bounds } }]),
          { range: { time: { gte: since.toISOString() } } },
        ],
      },
    },
    aggs: {
      queries: {
        // Ordinals would be those of all organizations together.
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

/** Keywords that may be shown to the caller, the commonest first. */
export function readPastQueries({ aggregations }: SearchAnswer<unknown>): string[] {
  const { buckets = [] } = (aggregations?.queries ?? {}) as { buckets?: readonly QueryBucket[] }
  return buckets
    .filter(mayBeShown)
    .map(({ key }) => key.slice(key.lastIndexOf(SEPARATOR) + 1))
    .slice(0, limits.quicksearchValues)
}
