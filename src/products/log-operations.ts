import { openCatalog, writableCatalog } from '../catalogs/store.ts'
import { limits } from '../limits.ts'
import { both, operation } from '../operation.ts'
import { ActionResponse, done, Id, OptionalText, Paging } from '../shapes.ts'
import { readReport } from './change-report.ts'
import type { ChangeEntry } from './product.ts'
import { type ProductLog, ProductLogs } from './response-schemas.ts'
import { restoreProduct } from './restore.ts'
import { belowProduct } from './routes.ts'
import { ProductPath } from './schemas.ts'
import { readProductLog } from './store.ts'

const toLog = (entry: ChangeEntry): ProductLog => ({
  catalog: entry.catalog,
  productId: entry.productId,
  updatedBy: entry.updatedBy,
  timestamp: entry.timestamp,
  fieldsUpdated: entry.changes.map(({ field }) => field),
  id: entry.id,
  source: entry.source,
  changes: [...entry.changes],
  ...(entry.copiedFrom ? { copiedFrom: entry.copiedFrom.catalog } : {}),
  ...(entry.copiedTo ? { copiedTo: entry.copiedTo } : {}),
})

const answer = {
  query: Paging,
  answer: ProductLogs,
  encode: (entries: readonly ChangeEntry[]) => ({ items: entries.map(toLog) }),
}

const ReportQuery = Paging.extend({
  user: OptionalText(limits.nameLength).describe('Only changes that this user made.'),
  catalog: OptionalText(limits.catalogNameLength).describe(
    "Only changes in this catalog, which may be a parent's.",
  ),
})

const RestorePath = ProductPath.extend({
  logId: Id.describe('Id of the entry, as Get Product Logs lists it.'),
})

export const logOperations = [
  operation({
    name: 'Get Product Logs',
    cost: 4,
    summary: 'Who changed what and when, newest first, a page at a time.',
    access: 'viewer',
    bindings: belowProduct('GET', '/logs', answer),
    handle: async ({ catalog, ...log }, ctx) =>
      readProductLog(ctx, await openCatalog(ctx, catalog), log),
  }),
  operation({
    name: 'Get Product Reporting Logs',
    cost: 8,
    summary: "Who changed what in the organization's products, newest first, a page at a time.",
    access: 'viewer',
    bindings: both('GET', '/api/reporting/products', {
      query: ReportQuery,
      answer: ProductLogs,
      encode: answer.encode,
    }),
    handle: async ({ user, catalog, ...paging }, ctx) =>
      readReport(ctx, {
        ...paging,
        user: user ?? undefined,
        scope: catalog === null ? undefined : await openCatalog(ctx, catalog),
      }),
  }),
  operation({
    name: 'Restore Product',
    summary: 'Takes one change back: what it changed gets the values from before it.',
    access: 'editor',
    fails: ['preconditionFailed'],
    bindings: both('POST', '/api/Catalog/:catalog/products/:id/logs/:logId/restore', {
      param: RestorePath,
      answer: ActionResponse,
    }),
    handle: async ({ catalog, ...wanted }, ctx) => {
      const scope = await writableCatalog(ctx, catalog)
      const changed = await restoreProduct(ctx, scope, wanted)
      return done(changed ? 'Product restored.' : 'Nothing to change.', { id: wanted.id })
    },
  }),
]
