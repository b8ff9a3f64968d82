import { openCatalog, writableCatalog } from '../catalogs/store.ts'
import { limits } from '../limits.ts'
import { bothRevisions, operation } from '../operation.ts'
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
  user: OptionalText(limits.nameLength).describe(
    'Restricts the report to changes made by this user.',
  ),
  catalog: OptionalText(limits.catalogNameLength).describe(
    'Restricts the report to this catalog, which can belong to the parent organization.',
  ),
})

const RestorePath = ProductPath.extend({
  logId: Id.describe('Id of the log entry, as listed by Get Product Logs.'),
})

export const logOperations = [
  operation({
    name: 'Get Product Logs',
    cost: 4,
    summary: 'Lists who changed a product, when and what, newest first, in pages.',
    access: 'viewer',
    bindings: belowProduct('GET', '/logs', answer),
    handle: async ({ catalog, ...log }, ctx) =>
      readProductLog(ctx, await openCatalog(ctx, catalog), log),
  }),
  operation({
    name: 'Get Product Reporting Logs',
    cost: 8,
    summary:
      "Lists who changed the organization's products, when and what, newest first, in pages.",
    access: 'viewer',
    bindings: bothRevisions('GET', '/api/reporting/products', {
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
    summary: 'Reverts a change by restoring the previous values of the fields that it changed.',
    access: 'editor',
    fails: ['preconditionFailed'],
    bindings: bothRevisions('POST', '/api/Catalog/:catalog/products/:id/logs/:logId/restore', {
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
