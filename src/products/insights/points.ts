import { hashedId } from '../../elastic/collection.ts'
import type { ChangeEntry, Offer, Product } from '../product.ts'

/** An offer at one time. The price is null if there is none or the offer ended. */
export interface Point {
  /** Unique for each price change; for stock changes one for each offer and day. */
  readonly id: string
  readonly catalog: string
  readonly productId: string
  readonly vendor: string
  readonly vendorPartNumber: string | null
  readonly manufacturerPartNumber: string | null
  readonly date: string
  readonly price: number | null
  readonly inStock: boolean
  readonly onHand: number | null
  /** The product's version, which orders points with the same time. */
  readonly version: number
}

/** A point, and how it is stored. */
export interface NewPoint extends Point {
  /** Whether a later point of the same day replaces it. */
  readonly daily: boolean
}

/** The change that points come from. */
export interface PointOrigin
  extends Pick<Point, 'catalog' | 'productId' | 'manufacturerPartNumber' | 'date' | 'version'> {
  /** Identifies the change, so that a retry yields the same ids. */
  readonly change: string
}

interface OffersChange {
  readonly before: readonly Offer[]
  readonly after: readonly Offer[]
}

const NOTHING = { cost: null, onHand: null, inStock: false }

/** Points for offers that were changed, added or removed. */
export function pointsOf({ before, after }: OffersChange, origin: PointOrigin): NewPoint[] {
  if (before === after) return []
  const points: NewPoint[] = []
  const note = (offer: Offer, old: Pick<Offer, 'cost' | 'onHand' | 'inStock'>) => {
    const { cost, onHand, inStock } = offer
    const priced = cost !== old.cost
    if (priced || onHand !== old.onHand || inStock !== old.inStock) {
      points.push(pointOf(offer, origin, priced))
    }
  }
  const earlier = new Map(before.map((offer) => [offer.vendorName, offer]))
  for (const offer of after) {
    note(offer, earlier.get(offer.vendorName) ?? NOTHING)
    earlier.delete(offer.vendorName)
  }
  for (const offer of earlier.values()) note({ ...offer, ...NOTHING }, offer)
  return points
}

function pointOf(offer: Offer, origin: PointOrigin, priced: boolean): NewPoint {
  const { change, catalog, productId, date } = origin
  const when = priced ? `${change} ${offer.cost}` : date.slice(0, 'yyyy-mm-dd'.length)
  return {
    id: hashedId([catalog, productId, offer.vendorName, when]),
    catalog,
    productId,
    vendor: offer.vendorName,
    vendorPartNumber: offer.vendorPartNumber,
    manufacturerPartNumber: origin.manufacturerPartNumber,
    date,
    price: offer.cost,
    inStock: offer.inStock,
    onHand: offer.onHand,
    version: origin.version,
    daily: !priced,
  }
}

/** Points for the offers that a write of a product changed. `before` are those that it had. */
export const pointsOfWrite = (
  before: readonly Offer[],
  after: Product,
  change: string,
): NewPoint[] =>
  pointsOf(
    { before, after: after.vendors },
    {
      change,
      catalog: after.catalog,
      productId: after.id,
      manufacturerPartNumber: after.manufacturerPartNumber,
      date: after.lastUpdated,
      version: after.version,
    },
  )

/** Points for a change through the API, from the offers in its log entry. */
export function pointsOfEntry(
  { id, catalog, productId, timestamp, version, changes }: ChangeEntry,
  manufacturerPartNumber: string | null,
): NewPoint[] {
  const vendors = changes.find(({ field }) => field === 'vendors')
  if (!vendors) return []
  return pointsOf(vendors as unknown as OffersChange, {
    change: id,
    catalog,
    productId,
    manufacturerPartNumber,
    date: timestamp,
    version,
  })
}

/** The points, and the end of offers that an earlier product with the id had when it was deleted. */
export function withEnds(points: readonly Point[], created: string): Point[] {
  const began = Date.parse(created)
  const last = new Map<string, Point>()
  for (const point of points.toSorted(byTime)) {
    const time = Date.parse(point.date)
    if (time < began) last.set(point.vendor, point)
    else if (time === began) last.delete(point.vendor)
  }
  const ends = [...last.values()].map(({ catalog, productId, vendor, ...point }): Point => {
    const id = hashedId([catalog, productId, vendor, `ended ${created}`])
    const ended = { price: null, onHand: null, inStock: false, date: created, version: 0 }
    return { ...point, catalog, productId, vendor, id, ...ended }
  })
  return [...points, ...ends]
}

const byTime = (a: Point, b: Point): number =>
  Date.parse(a.date) - Date.parse(b.date) || a.version - b.version

/**
 * A series, oldest first: the latest point of each id, without consecutive equal points of a
 * vendor, which repeated imports leave.
 */
export function seriesOf(points: readonly Point[]): Point[] {
  const inOrder = points.toSorted(byTime)
  const latest = new Map(inOrder.map((point) => [point.id, point]))
  const last = new Map<string, Point>()
  return inOrder.filter((point) => {
    if (latest.get(point.id) !== point) return false
    const before = last.get(point.vendor)
    last.set(point.vendor, point)
    return !before || !saysTheSame(before, point)
  })
}

const saysTheSame = (a: Point, b: Point): boolean =>
  a.price === b.price &&
  a.inStock === b.inStock &&
  a.onHand === b.onHand &&
  a.vendorPartNumber === b.vendorPartNumber &&
  a.manufacturerPartNumber === b.manufacturerPartNumber
