import { isDeepStrictEqual } from 'node:util'
import { NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { warnOf } from '../platform/log.ts'
import { productsOf } from '../products/documents.ts'
import { changeProduct } from '../products/store.ts'
import { offerAfter, offerOf, withAnswer } from './offer.ts'
import type { Item, Outcome } from './outcome.ts'
import { type NewOffer, stateOf } from './state.ts'
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
  const signal = AbortSignal.timeout(limits.realtimeStoreMs)
  const stored = products.flatMap((asked, at) => {
    const item = outcomes[at]?.item
    if (!item || !vendor.mayStoreIn(asked.scope) || !isNews(asked, vendor, item)) return []
    const { promise, resolve: end } = Promise.withResolvers<void>()
    enqueue({ ctx: { ...ctx, signal }, vendor, asked, item, end })
    return [promise]
  })
  if (stored.length === 0) return Promise.resolve()
  const all = Promise.all(stored).then(() => undefined)
  ctx.background.run('store new offers', () => all)
  return all
}

function isNews({ product }: Asked, { name }: Vendor, item: Item): boolean {
  const known = offerOf(product, name)
  return !isDeepStrictEqual(known, offerAfter(known, name, item))
}

/** What several vendors say of a product is stored together, as far as it comes in time for that. */
function enqueue(offer: NewOffer): void {
  const { ctx, asked } = offer
  const { writes, lane } = stateOf(ctx.elastic)
  const key = productsOf(ctx, asked.scope).documentId(asked.product.id)
  writes.add(key, offer, async (offers) => {
    try {
      const { signal } = offers.at(-1)!.ctx
      await lane.run('offers', () => Promise.all(offers.map(store)), { signal })
    } catch (error) {
      warnOf(ctx.log, 'offers were not stored', error)
    }
    for (const { end } of offers) end()
  })
}

async function store({ ctx, vendor, asked, item }: NewOffer): Promise<void> {
  const { scope, product } = asked
  try {
    await changeProduct(
      ctx,
      scope,
      product.id,
      (document) => withAnswer(document, vendor.name, item),
      { source: 'real-time', offersUnlogged: true, actor: vendor.actor },
    )
  } catch (error) {
    // A product that is gone meanwhile needs no offer.
    if (!(error instanceof NotFound)) warnOf(ctx.log, 'an offer was not stored', error)
  }
}
