import type { z } from 'zod'
import { openCatalog } from '../../catalogs/store.ts'
import { operation, route } from '../../operation.ts'
import { ProductPath, ProductPath10 } from '../schemas.ts'
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

export const getInsights = operation({
  name: 'Get Insights',
  summary: "A product's prices and stock over time, oldest first.",
  access: 'viewer',
  bindings: {
    '1.0': route('GET', '/api/Catalog/:name/:id/insights', { param: ProductPath10, ...answer }),
    '6.0': route('GET', '/api/Catalog/:catalog/products/:id/insights', {
      param: ProductPath,
      ...answer,
    }),
  },
  handle: async (
    { catalog, ...wanted }: { catalog: string; id: string } & z.output<typeof InsightsQuery>,
    ctx,
  ) => readInsights(ctx, await openCatalog(ctx, catalog), wanted),
})
