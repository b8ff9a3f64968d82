import { isDeepStrictEqual } from 'node:util'
import type { Elastic } from '../elastic/client.ts'
import { NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { type Admission, createAdmission, type Leave } from '../platform/admission.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { logFailure } from '../platform/log.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { restSince } from '../platform/rests.ts'
import type { ProductDocument } from '../products/product.ts'
import type { CatalogProduct } from '../products/references.ts'
import { changeProduct } from '../products/store.ts'
import { token } from '../text.ts'
import type { ItemResult, OfferItem } from './check-item.ts'
import { offerAfter, offerOf, withAnswer } from './offer.ts'
import type { Vendor } from './vendors.ts'

const WRITES = 4
const ORGANIZATIONS = 4

/**
 * Products whose new offers an organization writes at once. While others are active, it writes those
 * of one, and then rests.
 */
const writesOf = memoizeWeak<Elastic, Admission>(() =>
  createAdmission({
    capacity: WRITES * ORGANIZATIONS,
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

/** Changes of a product that wait for their turn. */
interface WaitingChanges {
  readonly changes: (() => Promise<void>)[]
  readonly done: Promise<void>
}

const waitingOf = memoizeWeak<Elastic, Map<string, WaitingChanges>>(() => new Map())

/**
 * Many vendors answer for the same products. What comes for a product that waits has the same turn,
 * so that it becomes one write. Failures are logged.
 */
function store(ctx: Context, vendor: Vendor, { scope, id, item }: NewOffer): Promise<void> {
  const actor = vendor.installed.username
  const options = { source: 'real-time', offersUnlogged: true, actor } as const
  const withItem = (document: ProductDocument) => withAnswer(document, vendor.name, item)
  const change = () =>
    changeProduct(ctx, scope, id, withItem, options).then(
      () => {},
      (error: unknown) => failed(ctx, error),
    )
  const owner = loadOwner(ctx.organization)
  const key = token(owner, scope.owner, scope.name, id)
  const all = waitingOf(ctx.elastic)
  const waiting = all.get(key)
  if (waiting) {
    waiting.changes.push(change)
    return waiting.done
  }
  const changes = [change]
  const cost = ctx.requests.hasOthers(owner) ? WRITES : 1
  const place = writesOf(ctx.elastic)
    .enter(owner, { cost, signal: ctx.signal })
    .finally(() => all.delete(key))
  const done = inTurn(ctx, place, changes)
  all.set(key, { changes, done })
  return done
}

async function inTurn(
  ctx: Context,
  place: Promise<Leave>,
  changes: WaitingChanges['changes'],
): Promise<void> {
  try {
    const leave = await place
    const began = performance.now()
    await Promise.all(changes.map((change) => change()))
    leave(restSince(ctx.requests, loadOwner(ctx.organization), began))
  } catch (error) {
    failed(ctx, error)
  }
}

function failed({ log }: Context, error: unknown): void {
  // A product that was deleted meanwhile needs no offer.
  if (!(error instanceof NotFound)) logFailure(log, 'an offer was not stored', error)
}
