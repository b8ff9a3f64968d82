import type { SearchBody } from '../elastic/search.ts'
import type { Context } from '../operation.ts'
import { eventsOf } from './events.ts'
import {
  daysBody,
  daysOf,
  type FigureBucket,
  type Figures,
  figuresIn,
  type KeyedBucket,
  type QueryFigures,
  queriesBody,
  type ReportKind,
  type ReportScope,
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
  const { totals, buckets } = await ask(ctx, queriesBody(scope, wanted), 'queries')
  const queries = buckets.map((bucket) => ({ query: String(bucket.key), ...figuresIn(bucket) }))
  return { ...scope, totals, rows: rowsOf(queries, wanted) }
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
    | (FigureBucket & Record<typeof by, { readonly buckets: FigureBuckets }>)
    | undefined
  return { totals: figuresIn(found), buckets: found?.[by].buckets ?? [] }
}
