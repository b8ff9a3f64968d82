import {
  LISTS_AT_ONCE,
  type PricesInEffect,
  pricesInEffect,
} from '../catalogs/price-lists/in-effect.ts'
import { openCatalog } from '../catalogs/store.ts'
import { Forbidden, Invalid, ignoring, NotFound } from '../errors.ts'
import type { Context } from '../operation.ts'
import { mapLimited } from '../platform/map-limited.ts'
import { type PriceLine, priceSource, pricesIn } from '../products/list-prices.ts'
import type { ProductReference } from '../products/product-key.ts'
import { type CatalogProduct, readCatalogProducts } from '../products/references.ts'
import type { ItemDetailsInput } from './items.ts'

/** The fields of an item in a request, with a price list that it may name instead of a price. */
export interface RequestedDetails extends ItemDetailsInput {
  readonly priceList?: string | undefined
}

export interface WantedProduct extends ProductReference {
  readonly details: RequestedDetails
}

interface ProductWithLines {
  /** Undefined when the caller sees no such product. */
  readonly document: CatalogProduct | undefined
  /** The current lines of the item's price list; undefined when its general price applies. */
  readonly lines: readonly PriceLine[] | undefined
}

/**
 * Products with their prices in the list that a request names or the key is bound to. Throws
 * Invalid and Forbidden for a list that does not exist or is not for the caller.
 */
export async function withListedLines(
  ctx: Context,
  wanted: readonly WantedProduct[],
): Promise<ProductWithLines[]> {
  const lists = await listsOf(ctx, wanted)
  const source = new Set(lists.flatMap((list) => priceSource(list)))
  const documents = await readCatalogProducts(ctx, wanted, [...source])
  return documents.map((document, at) => {
    const list = lists[at]
    return { document, lines: list && pricesIn(document?.listPrices, list) }
  })
}

/** Whether an item's price comes from a list, because of the caller's key or of the request. */
export const goesByList = (
  { caller }: Pick<Context, 'caller'>,
  { priceList }: RequestedDetails,
): boolean => priceList !== undefined || caller.bounds?.priceList !== undefined

async function listsOf(ctx: Context, wanted: readonly WantedProduct[]) {
  const named = wanted.map(({ catalog, details }) => {
    if (!goesByList(ctx, details)) return undefined
    const { priceList = null, price } = details
    checkNamed(ctx, priceList, price)
    return JSON.stringify([catalog, priceList])
  })
  const keys = [...new Set(named)].filter((key) => key !== undefined)
  const lists = await mapLimited(keys, LISTS_AT_ONCE, (key) => {
    const [catalog, priceList] = JSON.parse(key) as [string, string | null]
    return listIn(ctx, catalog, priceList)
  })
  const byKey = new Map<string | undefined, PricesInEffect | undefined>(
    keys.map((key, at) => [key, lists[at]]),
  )
  return named.map((key) => byKey.get(key))
}

function checkNamed({ caller }: Context, named: string | null, price: number | undefined): void {
  if (named === null) return
  if (caller.session && caller.bounds?.priceList === undefined) {
    throw new Forbidden('priceList: a punchout session cannot choose a price list')
  }
  if (price !== undefined) throw new Invalid('priceList: cannot be combined with price')
}

/**
 * The list to use in a catalog. Undefined for an unknown catalog, whose products do not exist
 * either.
 */
async function listIn(ctx: Context, catalog: string, named: string | null) {
  const active = ctx.caller.keyType === 'search'
  const scope = await openCatalog(ctx, catalog, { active }).catch(ignoring(NotFound))
  return scope && pricesInEffect(ctx, scope, named)
}
