import { isDeepStrictEqual } from 'node:util'
import type { Elastic } from '../elastic/client.ts'
import { NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { createAdmission } from '../platform/admission.ts'
import { warnOf } from '../platform/log.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import type { CatalogProduct } from '../products/references.ts'
import { changeProduct } from '../products/store.ts'
import type { ItemResult, OfferItem } from './check-item.ts'
import { offerAfter, offerOf, withAnswer } from './offer.ts'
import type { Vendor } from './vendors.ts'

const WRITES = 16

/** New offers that one instance writes at once. */
const writesOf = memoizeWeak<Elastic, ReturnType<typeof createAdmission>>(() =>
  createAdmission({
    capacity: WRITES,
    share: WRITES,
    waiting: limits.realtimeAnswers,
    ownerWaiting: limits.realtimePairs,
    waitMs: limits.realtimeStoreMs,
    what: 'new offers',
  }),
)

/**
 * Stores a vendor's answers as its offers, those that say something new; goes on after the answer
 * to the caller. Resolves when all are stored or given up.
 */
export function storeOffers(
  ctx: Context,
  vendor: Vendor,
  told: readonly { asked: CatalogProduct; result: ItemResult }[],
): Promise<void> {
  const signal = AbortSignal.timeout(limits.realtimeStoreMs)
  const stored = told.flatMap(({ asked, result: { item } }) =>
    item && mayStore(vendor, asked) && isNews(vendor, asked, item)
      ? [store({ ...ctx, signal }, vendor, asked, item)]
      : [],
  )
  const all = Promise.all(stored).then(() => undefined)
  if (stored.length > 0) ctx.background.run('store new offers', () => all)
  return all
}

/** Whether the offers are for everybody who sees the catalog: a nickname may be another vendor's name. */
const mayStore = ({ installed }: Vendor, { scope }: CatalogProduct): boolean =>
  installed.settings.vendor !== null &&
  installed.level === 'organization' &&
  installed.organization === scope.owner

function isNews({ name }: Vendor, { product }: CatalogProduct, item: OfferItem): boolean {
  const known = offerOf(product, name)
  return !isDeepStrictEqual(known, offerAfter(known, name, item))
}

async function store(ctx: Context, vendor: Vendor, asked: CatalogProduct, item: OfferItem) {
  const { scope, product } = asked
  const change = () =>
    changeProduct(ctx, scope, product.id, (document) => withAnswer(document, vendor.name, item), {
      source: 'real-time',
      offersUnlogged: true,
      actor: vendor.installed.username,
    })
  try {
    await writesOf(ctx.elastic).run(scope.owner, change, { signal: ctx.signal })
  } catch (error) {
    // A product that is gone meanwhile needs no offer.
    if (!(error instanceof NotFound)) warnOf(ctx.log, 'an offer was not stored', error)
  }
}
