import { hashedId } from '../elastic/collection.ts'
import { Forbidden, Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Caller } from '../operation.ts'
import { type PriceLine, priceOfQuantity } from '../products/list-prices.ts'
import { pricedOffers } from '../products/offer-prices.ts'
import type { Product } from '../products/product.ts'
import type { Snapshot, StoredItem } from './workspace.ts'

/** The fields of an item in a request; undefined fields are absent. */
export interface ItemDetailsInput {
  readonly quantity?: number | undefined
  readonly price?: number | undefined
  /** Lines of a price list, which determine the price by the quantity. */
  readonly lines?: readonly PriceLine[] | undefined
  /** Whether the price is fixed to that of the item or the product. Another one is refused. */
  readonly isPriceFixed?: boolean
}

/**
 * The details as this caller may set them. A punchout session fixes prices, since what it returns
 * is ordered as it is.
 */
export const detailsBy = (
  { session }: Pick<Caller, 'session'>,
  details: ItemDetailsInput,
): ItemDetailsInput => ({
  ...details,
  isPriceFixed: session !== undefined,
})

/** A product has one item in a workspace, so that a repeated addition adds no second one. */
export const itemId = (catalog: string, productId: string): string => hashedId([catalog, productId])

/** The lowest price and the first offer that has it; the msrp of a product without offers. */
export function priceOf(product: Pick<Product, 'vendors' | 'msrp'>) {
  const [best] = pricedOffers(product).sort((a, b) => a.price - b.price)
  return { price: best?.price ?? null, offer: best?.offer ?? undefined }
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

/** A product to add. `username` and `now` are stored only in a new item. */
export interface Addition {
  readonly username: string
  readonly product: Product
  readonly details: ItemDetailsInput
  readonly now: Date
}

/**
 * The item after an addition. An existing item keeps what the request leaves out, and nothing is
 * summed, so that an addition may be repeated; one of a deleted product is replaced. Throws
 * Invalid, and Forbidden for a price that the caller may not set.
 */
export function withAddition(item: StoredItem | undefined, addition: Addition): StoredItem {
  const isSame = item?.productCreated === addition.product.created
  return withDetails(item && isSame ? item : newItem(addition), addition.details)
}

function newItem({ username, product, details, now }: Addition): StoredItem {
  const price = details.isPriceFixed ? undefined : details.price
  const { lines, quantity = 1 } = details
  const listed = lines ? bounded(priceOfQuantity(lines, quantity)) : undefined
  return {
    id: itemId(product.catalog, product.id),
    username,
    catalog: product.catalog,
    productId: product.id,
    productCreated: product.created,
    quantity,
    price: listed === undefined ? (price ?? ownPrice(product)) : listed,
    isPriceSet: false,
    snapshot: snapshotOf(product),
    added: now.toISOString(),
  }
}

/** The item with new details; the same object when nothing changes. Throws Invalid, Forbidden. */
export function withDetails(
  item: StoredItem,
  { quantity = item.quantity, price, lines, isPriceFixed = false }: ItemDetailsInput,
): StoredItem {
  const own = listedPrice(item, { quantity, lines, isPriceFixed })
  if (isPriceFixed && price !== undefined && price !== own) {
    throw new Forbidden(
      `price: a punchout session cannot set prices; members of the organization can set the price of ${item.productId} with their own key`,
    )
  }
  const isPriceSet = isSetAfter(item, { price, lines, isPriceFixed })
  const next = { ...item, quantity, price: price ?? own, isPriceSet }
  const isSame = next.quantity === item.quantity && next.price === item.price
  return isSame && isPriceSet === (item.isPriceSet ?? isPriceSet) ? item : next
}

/** A price that a member sends stays until a member changes the quantity without one. */
function isSetAfter(
  item: StoredItem,
  { price, lines, isPriceFixed }: ItemDetailsInput,
): boolean | undefined {
  if (isPriceFixed) return item.isPriceSet
  if (price !== undefined) return true
  return lines ? false : item.isPriceSet
}

/**
 * The price from the list for this quantity. In a punchout session, a price that a member set
 * stays.
 */
function listedPrice(
  item: StoredItem,
  { quantity, lines, isPriceFixed }: ItemDetailsInput & { readonly quantity: number },
): number | null {
  if (!lines) return item.price
  const isSet = item.isPriceSet ?? item.price !== priceOfQuantity(lines, item.quantity)
  return isPriceFixed && isSet ? item.price : bounded(priceOfQuantity(lines, quantity))
}

const ownPrice = (product: Product): number | null => bounded(priceOf(product).price)

function bounded(price: number | null): number | null {
  if (price === null || price <= limits.workspacePrice) return price
  throw new Invalid(
    `price: the price of the product is above ${limits.workspacePrice}; a member of the organization must set one`,
  )
}
