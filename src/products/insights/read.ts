import type { CatalogScope } from '../../catalogs/store.ts'
import { limits } from '../../limits.ts'
import type { Context } from '../../operation.ts'
import type { ProductDocument } from '../product.ts'
import { readPart } from '../product-documents.ts'
import { type Point, pointsOfEntry, seriesOf, withEnds } from './points.ts'
import type { InsightsFilter } from './schemas.ts'
import { readPoints } from './store.ts'

/** The newest points of a product's offers, oldest first. Throws NotFound. */
export async function readInsights(
  ctx: Context,
  scope: CatalogScope,
  { id, ...wanted }: InsightsFilter & { id: string },
): Promise<Point[]> {
  const source = ['pending', 'product.manufacturerPartNumber', 'product.created']
  const found = await readPart<'product'>(ctx, scope, id, source)
  const place = { owner: scope.owner, catalog: scope.name, productId: id }
  const stored = await readPoints(ctx, { ...place, ...wanted }, ctx.signal)
  const waiting = waitingPoints(found, wanted)
  const points = [...stored, ...waiting]
  const { created } = found.product
  const isIn = created !== undefined && (wanted.to === null || Date.parse(created) <= wanted.to)
  return seriesOf(isIn ? withEnds(points, created) : points).slice(-limits.insightPoints)
}

/** Points of changes whose log entries are still pending in the product. */
function waitingPoints(
  { product, pending = [] }: Partial<ProductDocument>,
  { vendor, from, to }: InsightsFilter,
): Point[] {
  const points = pending.flatMap((entry) =>
    pointsOfEntry(entry, product?.manufacturerPartNumber ?? null),
  )
  return points.filter((point) => {
    const time = Date.parse(point.date)
    const inTime = (from === null || time >= from) && (to === null || time <= to)
    return inTime && (vendor === null || point.vendor === vendor)
  })
}
