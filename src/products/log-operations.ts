import type { z } from 'zod'
import { openCatalog } from '../catalogs/store.ts'
import { operation, route } from '../operation.ts'
import { Paging } from '../shapes.ts'
import { type ProductLog, ProductLogs } from './answers.ts'
import type { ChangeEntry } from './product.ts'
import { ProductPath, ProductPath10 } from './schemas.ts'
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
})

const answer = {
  query: Paging,
  answer: ProductLogs,
  encode: (entries: readonly ChangeEntry[]) => ({ items: entries.map(toLog) }),
}

export const getProductLogs = operation({
  name: 'Get Product Logs',
  summary: 'Who changed what and when, newest first, a page at a time.',
  access: 'viewer',
  bindings: {
    '1.0': route('GET', '/api/Catalog/:name/:id/logs', { param: ProductPath10, ...answer }),
    '6.0': route('GET', '/api/Catalog/:catalog/products/:id/logs', {
      param: ProductPath,
      ...answer,
    }),
  },
  handle: async (
    { catalog, ...log }: { catalog: string; id: string } & z.output<typeof Paging>,
    ctx,
  ) => readProductLog(ctx, await openCatalog(ctx, catalog), log),
})
