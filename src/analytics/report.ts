import { all, present, term } from '../elastic/clauses.ts'
import { sampled } from '../elastic/sampled.ts'
import type { Aggregations, Query, SearchBody } from '../elastic/search.ts'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { CHOICES, type Choice } from './event.ts'

/** Counts for a set of searches: all in a period, those of one day, or those of one query. */
export interface Figures {
  readonly searches: number
  readonly withoutResults: number
  /** Searches whose choices are reported. Only these count toward the rates. */
  readonly tracked: number
  /** Tracked searches that found something. */
  readonly trackedFound: number
  readonly chosen: number
  readonly converted: number
  readonly choices: Readonly<Record<Choice, number>>
  /** Mean position of clicked products, from 1; null without a click. */
  readonly clickPosition: number | null
}

/** The searches that a report covers. Days are in UTC, and both are inclusive. */
export interface ReportScope {
  readonly from: string
  readonly to: string
  readonly catalog: string | null
}

/** Number of days in a report whose request does not set `from`. */
export const REPORTED_DAYS = 30

const DAY_MS = 24 * 60 * 60 * 1000
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** The first and the last day of a report, with defaults. Throws Invalid. */
export function periodOf(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
): Pick<ReportScope, 'from' | 'to'> {
  const to = asked.to ?? dayOf(now.getTime())
  const from = asked.from ?? dayOf(Date.parse(to) - (REPORTED_DAYS - 1) * DAY_MS)
  if (from > to) throw new Invalid('from: must not be after to')
  if (Date.parse(to) - Date.parse(from) >= limits.reportDays * DAY_MS) {
    throw new Invalid(`from: a report covers at most ${limits.reportDays} days`)
  }
  return { from, to }
}

/** Every day of a report in order. */
export function daysOf({ from, to }: Pick<ReportScope, 'from' | 'to'>): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) days.push(dayOf(at))
  return days
}

export const REPORTS = ['popular', 'withoutResults', 'notChosen'] as const
export type ReportKind = (typeof REPORTS)[number]

const kindIs = (kind: string) => term('kind', kind)
const ANY_HIT: Query = { range: { hits: { gte: 1 } } }
const TRACKED = [kindIs('search'), term('tracked', true)]

/** Single-bucket `filter` aggregations, which Elasticsearch does not count as buckets. */
const COUNTS: Readonly<Record<string, Query>> = {
  searches: kindIs('search'),
  withoutResults: term('hits', '0'),
  tracked: all(TRACKED)!,
  trackedFound: all([...TRACKED, ANY_HIT])!,
  chosen: kindIs('chosen'),
  converted: kindIs('converted'),
  ...Object.fromEntries(CHOICES.map((kind) => [kind, kindIs(kind)])),
}

export const FIGURES: Aggregations = {
  ...Object.fromEntries(Object.entries(COUNTS).map(([name, filter]) => [name, { filter }])),
  click: { filter: kindIs('click'), aggs: { position: { avg: { field: 'position' } } } },
}

export const reportQuery = (
  { from, to, catalog }: ReportScope,
  more: readonly Query[] = [],
): Query =>
  all(
    present([
      { range: { time: { gte: Date.parse(from), lt: Date.parse(to) + DAY_MS } } },
      catalog === null ? undefined : term('catalog', catalog),
      ...more,
    ]),
  )!

const BY = { popular: 'searches', withoutResults: 'withoutResults', notChosen: 'trackedFound' }

/** The events by which queries are frequent in a report of that kind. */
export const frequencyQuery = (scope: ReportScope, kind: ReportKind): Query =>
  reportQuery(scope, [COUNTS[BY[kind]]!])

/** Requests the most frequent queries, judged by a share of these events. */
export const frequentBody = (scope: ReportScope, kind: ReportKind, share: number): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: frequencyQuery(scope, kind),
  aggs: sampled(share, { queries: { terms: queryTerms(limits.reportQueries) } }),
})

/** Uses `map`, since global ordinals would include the queries of all organizations. */
const queryTerms = (size: number) => ({ field: 'query', size, execution_hint: 'map' as const })

/**
 * Requests the most frequent queries with their figures, and the totals of all searches. `among`:
 * the queries to choose from; all when absent.
 */
export function queriesBody(
  scope: ReportScope,
  { kind, limit }: { kind: ReportKind; limit: number },
  among?: readonly string[],
): SearchBody {
  const queries = {
    terms: {
      // `rowsOf` picks the queries without a choice from the most frequent ones.
      ...queryTerms(kind === 'notChosen' ? limits.reportQueries : limit),
      // Each month is an index of its own, which returns as many as `among` can have.
      shard_size: limits.reportQueries,
      order: [{ [BY[kind]]: 'desc' as const }, { _key: 'asc' as const }],
      ...(among ? { include: [...among] } : {}),
    },
    aggs: FIGURES,
  }
  return {
    size: 0,
    track_total_hits: false,
    query: reportQuery(scope),
    aggs: { ...(among?.length === 0 ? {} : { queries }), ...FIGURES },
  }
}

/** Requests the figures of each day. */
export const daysBody = (scope: ReportScope): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: reportQuery(scope),
  aggs: {
    days: {
      date_histogram: {
        field: 'time',
        calendar_interval: 'day',
        format: 'yyyy-MM-dd',
        min_doc_count: 0,
        extended_bounds: { min: scope.from, max: scope.to },
      },
      aggs: FIGURES,
    },
    ...FIGURES,
  },
})

interface ChoiceBucket {
  readonly doc_count: number
  readonly position?: { readonly value: number | null }
}
export type FigureBucket = Readonly<Record<string, ChoiceBucket>>
export interface KeyedBucket {
  readonly key: string | number
  readonly key_as_string?: string
}

/** Reads the answer to FIGURES. Without any events, the figures are zero. */
export function figuresIn(bucket: FigureBucket | undefined): Figures {
  const count = (name: string): number => bucket?.[name]?.doc_count ?? 0
  return {
    searches: count('searches'),
    withoutResults: count('withoutResults'),
    tracked: count('tracked'),
    trackedFound: count('trackedFound'),
    chosen: count('chosen'),
    converted: count('converted'),
    choices: { click: count('click'), cart: count('cart'), purchase: count('purchase') },
    clickPosition: bucket?.click?.position?.value ?? null,
  }
}

export interface QueryFigures extends Figures {
  readonly query: string
}

/** Selects the rows of a report from the most frequent queries. */
export function rowsOf(
  queries: readonly QueryFigures[],
  { kind, limit }: { kind: ReportKind; limit: number },
): QueryFigures[] {
  const belongs: Record<ReportKind, (row: Figures) => boolean> = {
    popular: ({ searches }) => searches > 0,
    withoutResults: ({ withoutResults }) => withoutResults > 0,
    notChosen: ({ trackedFound, chosen }) => trackedFound > 0 && chosen === 0,
  }
  return queries.filter(belongs[kind]).slice(0, limit)
}
