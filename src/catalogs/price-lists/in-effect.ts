import { Forbidden, Invalid } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import { shownName } from '../../platform/validation-problem.ts'
import type { CatalogScope } from '../store.ts'
import { findList } from './price-list.ts'
import { readLists } from './store.ts'

/** A price list, and the date its prices are for. */
export interface PricesWanted {
  /** Id of the list. */
  readonly list: string
  readonly slot: string
  readonly at: string
}

/** Catalogs whose lists are read at once: all lists of a catalog are one document, often long. */
export const LISTS_AT_ONCE = 4

/** The price list that a search uses, and the time of the search. */
export interface PricesInEffect extends PricesWanted {
  readonly name: string
  readonly currency: string
}

/**
 * The list of the key, else the one named; undefined: general prices. Throws Invalid, Forbidden.
 */
export async function pricesInEffect(
  ctx: Context,
  scope: CatalogScope,
  named: string | null,
): Promise<PricesInEffect | undefined> {
  const { priceList: bound, hide = [] } = ctx.caller.bounds ?? {}
  const name = bound ?? named
  if (name === null) return undefined
  if (bound !== undefined && named !== null && named !== bound) {
    throw new Forbidden('priceList: this key is bound to another price list')
  }
  if (bound === undefined && hide.includes('vendors.cost')) {
    throw new Forbidden(
      'priceList: this key cannot see vendors.cost; use a key that is bound to a price list',
    )
  }
  const lists = await readLists(ctx, scope)
  const found = findList(lists, name)
  if (found) {
    const { id: list, slot, currency } = found
    return { list, slot, name, currency, at: ctx.clock.now().toISOString() }
  }
  if (bound !== undefined) {
    throw new Forbidden(
      `This key is bound to the price list ${shownName(bound)}, which the catalog ${scope.name} does not have.`,
    )
  }
  const names = lists.map((one) => one.name).sort()
  throw new Invalid(
    `priceList: the catalog ${scope.name} has no price list ${shownName(name)}; it has ${names.length === 0 ? 'none' : names.join(', ')}`,
  )
}

/**
 * The catalog with the prices that a request uses: those of the list the key is bound to or the
 * request names, else the general ones. Throws Invalid, Forbidden.
 */
export async function withPriceList(ctx: Context, scope: CatalogScope, named: string | null) {
  const prices = await pricesInEffect(ctx, scope, named)
  if (!prices) return { scope, prices }
  return { scope: { ...scope, priceField: `search.listPrices.${prices.slot}` }, prices }
}
