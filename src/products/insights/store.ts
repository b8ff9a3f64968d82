import { type BufferedBulk, createBufferedBulk } from '../../elastic/buffered-bulk.ts'
import type { BulkItem } from '../../elastic/bulk.ts'
import { every, range, term } from '../../elastic/clauses.ts'
import type { Elastic } from '../../elastic/client.ts'
import { collection } from '../../elastic/collection.ts'
import { monthlyKind } from '../../elastic/monthly-names.ts'
import { Unavailable } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Services } from '../../operation.ts'
import { memoizeWeak } from '../../platform/memoize-weak.ts'
import type { NewPoint, Point } from './points.ts'
import type { InsightsFilter } from './schemas.ts'

/**
 * Returns a function that makes bulk items of points. A point is stored once, however often it is
 * sent: status 409 means that it exists. Of daily points, the latest is kept.
 */
export function createPointItem(
  { indexName }: Pick<Elastic, 'indexName'>,
  owner: string,
): (point: NewPoint) => Required<BulkItem> {
  let month = ''
  let index = ''
  return (point) => {
    const { id, date } = point
    if (month === '' || !date.startsWith(month)) {
      month = date.slice(0, 'yyyy-mm'.length)
      index = JSON.stringify(indexName(monthlyKind('insights', new Date(date))))
    }
    // Neither the owner nor the id has characters that JSON would escape.
    const place = `"_index":${index},"_id":"${owner}/${id}"`
    const action = point.daily
      ? `{"index":{${place},"version":${Date.parse(date)},"version_type":"external_gte"}}`
      : `{"create":{${place}}}`
    return { action, document: JSON.stringify(stored(owner, point)) }
  }
}

const bufferOf = memoizeWeak<Elastic, BufferedBulk>(() => createBufferedBulk())

/** Stores points once each, in one bulk with concurrent writes. Throws Unavailable. */
export async function storePoints(
  { elastic }: Pick<Services, 'elastic'>,
  owner: string,
  points: readonly NewPoint[],
): Promise<void> {
  const results = await bufferOf(elastic).write(
    elastic,
    points.map(createPointItem(elastic, owner)),
  )
  const failed = results.find(({ status }) => status >= 300 && status !== 409)
  if (failed) throw new Unavailable(`Insights were not stored: ${failed.reason ?? ''}`)
}

const stored = (scope: string, { daily: _, ...point }: NewPoint) => ({ scope, ...point })

interface PointsFilter extends InsightsFilter {
  readonly owner: string
  readonly catalog: string
  readonly productId: string
}

/** The newest limits.insightPoints points of a product, newest first. */
export async function readPoints(
  { elastic }: Services,
  { owner, catalog, productId, vendor, from, to }: PointsFilter,
  signal: AbortSignal,
): Promise<Point[]> {
  const query = every([
    term('catalog', catalog),
    term('productId', productId),
    vendor === null ? undefined : term('vendor', vendor),
    range('date', from, to),
  ])
  const points = collection<Point>(elastic, { kind: 'insights', scope: [owner], monthly: true })
  return points.find(
    {
      query,
      size: limits.insightPoints,
      sort: [{ date: 'desc' }, { version: 'desc' }],
    },
    { signal },
  )
}
