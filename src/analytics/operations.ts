import type { z } from 'zod'
import { openCatalog } from '../catalogs/store.ts'
import { bothRevisions, type Context, operation } from '../operation.ts'
import { ActionResponse, done } from '../shapes.ts'
import { reportDays, reportQueries } from './read-report.ts'
import { chooseProduct } from './record-choice.ts'
import { periodOf, type ReportScope } from './report.ts'
import { daysReport, daysTable, queriesReport, queriesTable } from './responses.ts'
import { ChoiceBody, DaysQuery, DaysReport, QueriesQuery, QueriesReport } from './schemas.ts'

/** Throws NotFound for a catalog that the caller does not see. */
async function scopeOf(
  ctx: Context,
  { catalog, ...days }: z.output<typeof DaysQuery>,
): Promise<ReportScope> {
  const period = periodOf(days, ctx.clock.now())
  const scope = catalog === undefined ? undefined : await openCatalog(ctx, catalog)
  return { ...period, catalog: scope?.name ?? null }
}

export const analyticsOperations = [
  operation({
    name: 'Report Choice',
    summary:
      'Reports that a product in a search response was clicked, added to a cart or purchased.',
    access: 'viewer',
    keys: ['search'],
    bindings: bothRevisions('POST', '/api/search/choice', {
      body: ChoiceBody,
      answer: ActionResponse,
    }),
    handle: async ({ body }, ctx) => {
      await chooseProduct(ctx, body)
      return done('Noted.')
    },
  }),
  operation({
    name: 'Search Report',
    summary:
      "Returns the organization's most frequent search queries, its queries without results, or its queries whose results nobody chose.",
    access: 'editor',
    cost: 8,
    bindings: bothRevisions('GET', '/api/reporting/searches', {
      query: QueriesQuery,
      answer: QueriesReport,
      encode: queriesReport,
      csv: queriesTable,
    }),
    handle: async ({ kind, limit, ...asked }, ctx) =>
      reportQueries(ctx, await scopeOf(ctx, asked), { kind, limit }),
  }),
  operation({
    name: 'Search Report By Day',
    summary: 'Returns the number of searches per day and the choices that followed them.',
    access: 'editor',
    cost: 8,
    bindings: bothRevisions('GET', '/api/reporting/searches/days', {
      query: DaysQuery,
      answer: DaysReport,
      encode: daysReport,
      csv: daysTable,
    }),
    handle: async (asked, ctx) => reportDays(ctx, await scopeOf(ctx, asked)),
  }),
]
