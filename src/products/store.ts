import { v7 as uuidv7 } from 'uuid'
import type { PricesInEffect } from '../catalogs/price-lists/in-effect.ts'
import type { CatalogScope } from '../catalogs/store.ts'
import { Conflict, Unavailable } from '../errors.ts'
import type { Context } from '../operation.ts'
import { mapInSteps } from '../platform/in-steps.ts'
import { retryWhileStale } from '../platform/retry.ts'
import { type LogPage, readLog, storePendingEntries } from './change-log.ts'
import { checkValues } from './distinct-value-limit.ts'
import { priceSource } from './list-prices.ts'
import { type ChangeStamp, emptyProduct, firstDocument } from './next-document.ts'
import { applyPatch, checkSize, type ProductPatch } from './patch.ts'
import type { ChangeEntry, ProductDocument } from './product.ts'
import { productsOf, readPart, readToWrite, withSearch } from './product-documents.ts'
import { refreshSoon } from './refresh-soon.ts'
import { checkVersion, missingProduct, type ProductChange } from './requested-change.ts'
import { type Selection, sourceOf, withEmptyFields } from './selection.ts'
import { settleLog } from './settle-log.ts'
import {
  type ProductView,
  type ViewableDocument,
  viewerOf,
  viewProduct,
  viewSource,
} from './view.ts'
import { type ChangeResult, changeStored, largeTurn } from './writer.ts'

/** A catalog to read products from, and the price list to show with them. */
interface PricedCatalog {
  readonly scope: CatalogScope
  readonly prices?: PricesInEffect | undefined
}

/** A product as the caller sees it; undefined if there is none. Sees every write at once. */
export async function readProduct(
  ctx: Context,
  { scope, prices }: PricedCatalog,
  id: string,
): Promise<ProductView | undefined> {
  const source = [...viewSource(ctx.organization.id), ...priceSource(prices)]
  const found = await productsOf(ctx, scope).get(id, { source, signal: ctx.signal })
  return found && viewProduct(found.source as ViewableDocument, viewerOf(ctx, prices))
}

/** Reads at least the selected part of products, in the order of `ids`, without missing ones. */
export async function readProducts(
  ctx: Context,
  { scope, prices }: PricedCatalog,
  ids: readonly string[],
  selection: Selection | null,
): Promise<ProductView[]> {
  const source = [...sourceOf(ctx.organization.id, selection), ...priceSource(prices)]
  const found = await productsOf(ctx, scope).getMany([...new Set(ids)], {
    source,
    signal: ctx.signal,
  })
  const viewer = viewerOf(ctx, prices)
  const stored = found.filter((one) => one !== undefined)
  return mapInSteps(stored, ({ source: one }) => viewProduct(withEmptyFields(one), viewer))
}

/** The origin of a product change. */
export interface ChangeOrigin {
  readonly source?: ChangeEntry['source']
  readonly copiedFrom?: ChangeEntry['copiedFrom']
  /** The author of the change; absent: the caller. */
  readonly actor?: string | undefined
}

const changeStampOf = (
  { clock, caller }: Context,
  { source = 'api', copiedFrom, actor }: ChangeOrigin,
): ChangeStamp => ({
  entryId: uuidv7({ msecs: clock.now().getTime() }),
  actor: actor ?? caller.username,
  source,
  copiedFrom,
})

/** Throws Conflict if the id is taken, Invalid if the product is too large. */
export async function createProduct(
  ctx: Context,
  scope: CatalogScope,
  { id, patch, ...origin }: ChangeOrigin & { id: string; patch: ProductPatch },
): Promise<ProductDocument> {
  const stamp = changeStampOf(ctx, origin)
  const { actor } = stamp
  const empty = emptyProduct({ id, catalog: scope.name, actor, now: ctx.clock.now() })
  const document = firstDocument(applyPatch(empty, patch), stamp)
  checkSize(document.product)
  checkValues(ctx.elastic, scope, { before: undefined, after: document.product })
  const products = productsOf(ctx, scope)
  const leave = await largeTurn(ctx, { scope }, document, ctx.signal)
  const stored = await products
    .create(id, withSearch(scope, document), { signal: ctx.signal })
    .catch(async (error: unknown) => {
      if (error instanceof Conflict) {
        throw new Conflict('id: a product with this id already exists')
      }
      // Without an answer, the product may have been stored. The entry's id shows whether it was.
      const found =
        error instanceof Unavailable
          ? await readToWrite(ctx, scope, id, { signal: ctx.signal })
          : undefined
      if (found?.source.pending.some((entry) => entry.id === stamp.entryId)) return found
      throw error
    })
    .finally(leave)
  refreshSoon(ctx, scope)
  settleLog(ctx, { scope, id }, stored)
  return document
}

export interface ChangeOptions extends ChangeOrigin {
  /** The version that the stored product must have. */
  readonly ifMatch?: string | undefined
  /** Changes of offers are not logged, but recorded in Insights, as those of an import. */
  readonly offersUnlogged?: boolean
}

/**
 * The one function that writes a stored product: applies the pure `change` to the whole document,
 * and derives version, log entry and search fields. Throws NotFound, PreconditionFailed.
 */
export const changeProduct = (
  ctx: Context,
  scope: CatalogScope,
  id: string,
  change: ProductChange,
  { ifMatch, offersUnlogged, ...origin }: ChangeOptions = {},
): Promise<ChangeResult> => {
  const request = { change, ifMatch, offersUnlogged, stamp: changeStampOf(ctx, origin) }
  return changeStored(ctx, { scope, id }, request, ctx.signal)
}

/** Deletes a product after storing its pending entries. Throws NotFound, PreconditionFailed. */
export async function deleteProduct(
  ctx: Context,
  scope: CatalogScope,
  id: string,
  { ifMatch }: Pick<ChangeOptions, 'ifMatch'> = {},
): Promise<void> {
  const products = productsOf(ctx, scope)
  const { signal } = ctx
  await retryWhileStale(signal, async () => {
    const at = await readToWrite(ctx, scope, id, { signal })
    if (!at) throw missingProduct()
    checkVersion(at.source, ifMatch)
    await storePendingEntries(ctx, scope.owner, [at.source], { signal })
    await products.remove(id, { at, signal })
    refreshSoon(ctx, scope)
  })
}

/** A page of a product's change log, newest first. Throws NotFound. */
export async function readProductLog(
  ctx: Context,
  scope: CatalogScope,
  { id, ...paging }: { id: string } & Pick<LogPage, 'page' | 'pageSize'>,
): Promise<ChangeEntry[]> {
  const { pending = [] } = await readPart(ctx, scope, id, ['pending'])
  const place = { owner: scope.owner, catalog: scope.name, productId: id }
  return readLog(ctx, pending, { ...place, ...paging }, ctx.signal)
}
