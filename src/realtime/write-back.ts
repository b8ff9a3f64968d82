import { isDeepStrictEqual } from 'node:util'
import { NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { warnOf } from '../platform/log.ts'
import { changeProduct } from '../products/store.ts'
import { offerAfter, offerOf, withAnswer } from './offer.ts'
import type { Item, Outcome } from './outcome.ts'
import { stateOf } from './state.ts'
import type { Asked, Vendor } from './vendor.ts'

/**
 * Stores a vendor's answers as its offers, those that say something new; goes on after the answer
 * to the caller. Resolves when all are stored or given up.
 */
export function storeOffers(
  ctx: Context,
  vendor: Vendor,
  { products, outcomes }: { products: readonly Asked[]; outcomes: readonly Outcome[] },
): Promise<void> {
  const news = products.flatMap((asked, at) => {
    const item = outcomes[at]?.item
    return item && vendor.mayStoreIn(asked.scope) && isNews(asked, vendor, item)
      ? [{ asked, item }]
      : []
  })
  if (news.length === 0) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  ctx.background.run('store new offers', async () => {
    const signal = AbortSignal.timeout(limits.realtimeStoreMs)
    const { writes } = stateOf(ctx.elastic)
    await Promise.all(
      news.map(({ asked, item }) =>
        writes
          .run(signal, () => storeOffer({ ...ctx, signal }, vendor, asked, item))
          .catch((error: unknown) => warnOf(ctx.log, 'an offer was not stored', error)),
      ),
    )
    resolve()
  })
  return promise
}

function isNews({ product }: Asked, { name }: Vendor, item: Item): boolean {
  const known = offerOf(product, name)
  return !isDeepStrictEqual(known, offerAfter(known, name, item))
}

/** A product that is gone meanwhile needs no offer. */
async function storeOffer(ctx: Context, vendor: Vendor, { scope, product }: Asked, item: Item) {
  try {
    await changeProduct(
      ctx,
      scope,
      product.id,
      (document) => withAnswer(document, vendor.name, item),
      { source: 'real-time', offersUnlogged: true, actor: vendor.actor },
    )
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
}
