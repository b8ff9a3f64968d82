import { bucketsIn } from '../elastic/answer-parts.ts'
import { ofSample, shareFor } from '../elastic/sampled.ts'
import type { SearchBody } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { eventsOf } from './events.ts'
import {
  daysBody,
  daysOf,
  type FigureBucket,
  type Figures,
  figuresIn,
  frequencyQuery,
  frequentBody,
  type KeyedBucket,
  type QueryFigures,
  queriesBody,
  type ReportKind,
  type ReportScope,
  reportQuery,
  rowsOf,
} from './report.ts'

export interface SearchReport<Row> extends ReportScope {
  readonly totals: Figures
  readonly rows: readonly Row[]
}

export type DayFigures = Figures & { readonly day: string }

/** Reports the searches of the organization in effect by query. */
export async function reportQueries(
  ctx: Context,
  scope: ReportScope,
  wanted: { kind: ReportKind; limit: number },
): Promise<SearchReport<QueryFigures>> {
  const among = await frequentQueries(ctx, scope, wanted.kind)
  const { totals, buckets } = await ask(ctx, queriesBody(scope, wanted, among), 'queries')
  const queries = buckets.map((bucket) => ({ query: String(bucket.key), ...figuresIn(bucket) }))
  return { ...scope, totals, rows: rowsOf(queries, wanted) }
}

/** The queries that a report is about when there are too many; undefined: all. */
async function frequentQueries(
  ctx: Context,
  scope: ReportScope,
  kind: ReportKind,
): Promise<string[] | undefined> {
  const events = eventsOf(ctx)
  const options = { signal: ctx.signal }
  if ((await events.count(reportQuery(scope), options)) <= limits.countedEvents) return undefined
  const counted = await events.count(frequencyQuery(scope, kind), options)
  const share = shareFor(counted, limits.countedEvents)
  const answer = await events.search(frequentBody(scope, kind, share), options)
  return bucketsIn(ofSample(answer), 'queries').map(({ key }) => key)
}

/** Reports the searches of the organization in effect by day. */
export async function reportDays(
  ctx: Context,
  scope: ReportScope,
): Promise<SearchReport<DayFigures>> {
  const { totals, buckets } = await ask(ctx, daysBody(scope), 'days')
  const found = new Map(buckets.map((bucket) => [bucket.key_as_string, bucket]))
  const rows = daysOf(scope).map((day) => ({ day, ...figuresIn(found.get(day)) }))
  return { ...scope, totals, rows }
}

type FigureBuckets = readonly (KeyedBucket & FigureBucket)[]

async function ask(ctx: Context, body: SearchBody, by: 'queries' | 'days') {
  const { aggregations } = await eventsOf(ctx).search(body, { signal: ctx.signal })
  const found = aggregations as unknown as
    | (FigureBucket & Partial<Record<typeof by, { readonly buckets: FigureBuckets }>>)
    | undefined
  return { totals: figuresIn(found), buckets: found?.[by]?.buckets ?? [] }
}
