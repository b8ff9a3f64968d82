import { bucketsIn } from '../../elastic/answer-parts.ts'
import { some } from '../../elastic/clauses.ts'
import type { Aggregations, Query, SearchAnswer, SearchBody } from '../../elastic/search.ts'
import { limits } from '../../limits.ts'
import { oneLine } from '../../platform/one-line.ts'
import { fold, SEPARATOR, token } from '../../text.ts'

/** Users who must have made a search before others see it. A user's own are always shown. */
const USERS = 2
/** Days on which anonymous visitors must have made it instead, since they share a user. */
const DAYS = 3

/** Number of queries that are checked, of which some are shown. */
const CANDIDATES = 40

/**
 * The fields with a `pastQuery`. Terms of the first begin with the organization's tag, so that a
 * prefix does not look through those of others. Only entries of older versions have the second.
 */
const FIELDS = ['pastQuery', 'suggestion'] as const

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
  const begun = fold(text).slice(0, limits.nameLength)
  const since = new Date(now.getTime() - limits.suggestedDays * 24 * 60 * 60 * 1000)
  return {
    size: 0,
    track_total_hits: false,
    terminate_after: limits.suggestedSearches,
    query: {
      bool: {
        filter: [
          some(FIELDS.map((field) => beginning(field, begun)))!,
          { term: { catalog } },
          ...(bounds === undefined ? [] : [{ term: { bounds } }]),
          { range: { time: { gte: since.toISOString() } } },
        ],
      },
    },
    aggs: Object.fromEntries(FIELDS.map((field) => [field, queriesOf(field, username)])),
  }
}

/** Matches queries that begin with a text. A prefix of '' would look through all queries. */
const beginning = (field: string, begun: string): Query =>
  begun === '' ? { exists: { field } } : { prefix: { [field]: begun } }

const queriesOf = (field: string, username: string | null): Aggregations[string] => ({
  // Uses `map`, since global ordinals would include the queries of all organizations.
  terms: { field, size: CANDIDATES, execution_hint: 'map', collect_mode: 'breadth_first' },
  aggs: {
    users: { cardinality: { field: 'username' } },
    ...(username === null ? {} : { own: { filter: { term: { username } } } }),
    pages: {
      filter: { term: { public: true } },
      aggs: {
        days: { date_histogram: { field: 'time', calendar_interval: 'day', min_doc_count: 1 } },
      },
    },
  },
})

interface QueryBucket {
  readonly key: string
  readonly doc_count: number
  readonly users: { readonly value: number }
  readonly own?: { readonly doc_count: number }
  readonly pages: { readonly days: { readonly buckets: readonly unknown[] } }
}

const mayBeShown = ({ users, own, pages }: QueryBucket): boolean =>
  users.value >= USERS || (own?.doc_count ?? 0) > 0 || pages.days.buckets.length >= DAYS

/** Queries that may be shown to the caller, the most frequent first. */
export function readPastQueries(answer: SearchAnswer<unknown>): string[] {
  const texts = FIELDS.flatMap((field) => bucketsIn<QueryBucket>(answer, field))
    .filter(mayBeShown)
    .sort((one, other) => other.doc_count - one.doc_count)
    .map(({ key }) => key.slice(key.lastIndexOf(SEPARATOR) + 1))
  return [...new Set(texts)].slice(0, limits.quicksearchValues)
}
