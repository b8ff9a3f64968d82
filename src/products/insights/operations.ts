import { openCatalog } from '../../catalogs/store.ts'
import { operation } from '../../operation.ts'
import { belowProduct } from '../routes.ts'
import type { Point } from './points.ts'
import { readInsights } from './read.ts'
import { Insights, InsightsQuery } from './schemas.ts'

const answer = {
  query: InsightsQuery,
  answer: Insights,
  encode: (points: readonly Point[]) => ({
    vendorInsights: points.map((point) => ({
      id: point.id,
      vendor: point.vendor,
      vendorPartNumber: point.vendorPartNumber,
      manufacturerPartNumber: point.manufacturerPartNumber,
      date: point.date,
      price: point.price,
      inStock: point.inStock,
      onHand: point.onHand,
    })),
  }),
}

export const insightOperations = [
  operation({
    name: 'Get Insights',
    summary: "Returns the history of a product's prices and stock, oldest first.",
    cost: 8,
    access: 'viewer',
    bindings: belowProduct('GET', '/insights', answer),
    handle: async ({ catalog, ...wanted }, ctx) =>
      readInsights(ctx, await openCatalog(ctx, catalog), wanted),
  }),
]
