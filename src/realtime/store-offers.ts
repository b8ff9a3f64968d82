import { isDeepStrictEqual } from 'node:util'
import type { Elastic } from '../elastic/client.ts'
import { NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { type Admission, createAdmission } from '../platform/admission.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { logFailure } from '../platform/log.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { restSince } from '../platform/rests.ts'
import type { CatalogProduct } from '../products/references.ts'
import { changeProduct } from '../products/store.ts'
import type { ItemResult, OfferItem } from './check-item.ts'
import { offerAfter, offerOf, withAnswer } from './offer.ts'
import type { Vendor } from './vendors.ts'

const WRITES = 4

/** New offers that one instance writes at once. An organization rests after each of its own. */
const writesOf = memoizeWeak<Elastic, Admission>(() =>
  createAdmission({
    capacity: WRITES,
    share: WRITES,
    alwaysRests: true,
    waiting: limits.realtimeAnswers,
    ownerWaiting: limits.realtimePairs,
    waitMs: limits.realtimeStoreMs,
    what: 'new offers',
  }),
)

/**
 * Stores those of a vendor's answers that say something new as its offers, even after the caller
 * was answered. Resolves when all are stored or given up.
 */
export function storeOffers(
  ctx: Context,
  vendor: Vendor,
  answered: readonly { asked: CatalogProduct; result: ItemResult }[],
): Promise<void> {
  const news = answered.flatMap(({ asked, result: { item } }) =>
    item && mayStore(vendor, asked) && isNews(vendor, asked, item)
      ? [{ scope: asked.scope, id: asked.product.id, item }]
      : [],
  )
  if (news.length === 0) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const signal = AbortSignal.timeout(limits.realtimeStoreMs)
  const work = async () => {
    await Promise.all(news.map((one) => store({ ...ctx, signal }, vendor, one)))
    resolve()
  }
  if (!ctx.background.run('store new offers', work, loadOwner(ctx.organization))) resolve()
  return promise
}

/** An offer of a product. Many may wait to be written, so the documents are not kept. */
interface NewOffer extends Pick<CatalogProduct, 'scope'> {
  readonly id: string
  readonly item: OfferItem
}

/**
 * Whether the offers are for everybody who sees the catalog. Otherwise a nickname may be another
 * vendor's name.
 */
const mayStore = ({ installed }: Vendor, { scope }: CatalogProduct): boolean =>
  installed.settings.vendor !== null &&
  installed.level === 'organization' &&
  installed.organization === scope.owner

function isNews({ name }: Vendor, { product }: CatalogProduct, item: OfferItem): boolean {
  const known = offerOf(product, name)
  return !isDeepStrictEqual(known, offerAfter(known, name, item))
}

async function store(ctx: Context, vendor: Vendor, { scope, id, item }: NewOffer) {
  const change = () =>
    changeProduct(ctx, scope, id, (document) => withAnswer(document, vendor.name, item), {
      source: 'real-time',
      offersUnlogged: true,
      actor: vendor.installed.username,
    })
  try {
    const owner = loadOwner(ctx.organization)
    const leave = await writesOf(ctx.elastic).enter(owner, { signal: ctx.signal })
    const began = performance.now()
    await change().finally(() => leave(restSince(ctx.requests, owner, began)))
  } catch (error) {
    // A product that was deleted meanwhile needs no offer.
    if (!(error instanceof NotFound)) logFailure(ctx.log, 'an offer was not stored', error)
  }
}
