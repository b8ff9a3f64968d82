import { hashedId } from '../elastic/collection.ts'
import { Forbidden, Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Caller } from '../operation.ts'
import type { Product } from '../products/product.ts'
import { amountOf } from './totals.ts'
import type { ItemDocument, Line, Snapshot } from './workspace.ts'

/** What a request says of a line; undefined is nothing said. */
export interface Details {
  readonly quantity?: number | undefined
  readonly price?: number | undefined
  /** The price is what the line has, or the product: another one is refused. */
  readonly isPriceFixed?: boolean
}

/** Details as this caller may say them: what a punchout session returns is ordered as it is. */
export const detailsBy = ({ session }: Pick<Caller, 'session'>, details: Details): Details => ({
  ...details,
  isPriceFixed: session !== undefined,
})

/** A product has one line in a workspace, so that an addition that is sent again adds no second. */
export const lineId = (catalog: string, productId: string): string => hashedId([catalog, productId])

/** The cheapest offer with its cost, else msrp. Pure. */
export function priceOf({ vendors, msrp }: Pick<Product, 'vendors' | 'msrp'>) {
  const priced = vendors.flatMap((offer) =>
    offer.cost === null ? [] : [{ ...offer, cost: offer.cost }],
  )
  const offer = priced.reduce<(typeof priced)[number] | undefined>(
    (best, one) => (best === undefined || one.cost < best.cost ? one : best),
    undefined,
  )
  return { price: offer ? offer.cost : vendors.length === 0 ? msrp : null, offer }
}

function snapshotOf(product: Product): Snapshot {
  const offer = priceOf(product).offer ?? product.vendors[0]
  return {
    name: product.name,
    manufacturer: product.manufacturer,
    manufacturerPartNumber: product.manufacturerPartNumber,
    image: product.image,
    unspsc: product.unspsc,
    vendor: offer?.vendorName ?? null,
    vendorPartNumber: offer?.vendorPartNumber ?? null,
  }
}

export interface Addition {
  readonly workspace: string
  readonly username: string
  readonly product: Product
  readonly details: Details
  readonly now: Date
  readonly position?: number
}

/**
 * The line after an addition. A product that is there already keeps what the request does not say:
 * nothing adds up, so that an addition may be sent again. Pure; throws Invalid, and Forbidden for
 * a price that the caller may not say.
 */
export const withAddition = (line: Line | undefined, addition: Addition): Line =>
  withDetails(line ?? newLine(addition), addition.details)

function newLine({ workspace, username, product, details, now, position = 0 }: Addition): Line {
  const price = details.isPriceFixed ? undefined : details.price
  return {
    id: lineId(product.catalog, product.id),
    workspace,
    username,
    catalog: product.catalog,
    productId: product.id,
    quantity: 1,
    price: price ?? ownPrice(product),
    snapshot: snapshotOf(product),
    added: now.toISOString(),
    position,
  }
}

/** The very line when nothing changes. Pure; throws Forbidden. */
export function withDetails(line: Line, { quantity, price, isPriceFixed }: Details): Line {
  if (isPriceFixed && price !== undefined && price !== line.price) {
    throw new Forbidden(
      `price: a punchout session buys at the prices that are there; members of the organization set the price of ${line.productId} with a key of their own.`,
    )
  }
  const next = { ...line, quantity: quantity ?? line.quantity, price: price ?? line.price }
  return next.quantity === line.quantity && next.price === line.price ? line : next
}

function ownPrice(product: Product): number | null {
  const { price } = priceOf(product)
  if (price === null || price <= limits.workspacePrice) return price
  throw new Invalid(
    `price: the product’s own is above ${limits.workspacePrice}, so a member must give one`,
  )
}

/** A line as it is stored; `batch` while one is writing it. */
export const itemOf = (
  line: Line,
  batch: Pick<ItemDocument, 'batch' | 'before' | 'since'> = {
    batch: null,
    before: null,
    since: null,
  },
): ItemDocument => ({ kind: 'item', ...lineOf(line), amount: amountOf(line), ...batch })

/** Only what a line is, of whatever has more. */
export const lineOf = (line: Line): Line => ({
  id: line.id,
  workspace: line.workspace,
  username: line.username,
  catalog: line.catalog,
  productId: line.productId,
  quantity: line.quantity,
  price: line.price,
  snapshot: line.snapshot,
  added: line.added,
  position: line.position,
})
