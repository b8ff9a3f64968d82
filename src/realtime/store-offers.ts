import { isDeepStrictEqual } from 'node:util'
import type { Elastic } from '../elastic/client.ts'
import { Invalid, NotFound } from '../errors.ts'
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

type AnsweredOffer = readonly [vendor: string, item: OfferItem]

/** Offers of a product that wait to be written together. */
interface WaitingOffers {
  /** By the key of the vendor. */
  readonly answers: Map<string, AnsweredOffer>
  readonly written: Promise<void>
}

const waitingOf = memoizeWeak<Elastic, Map<string, WaitingOffers>>(() => new Map())

/**
 * Many vendors answer for the same products. What comes for a product that waits is written with it.
 */
function store(ctx: Context, vendor: Vendor, offer: NewOffer): Promise<void> {
  const { scope, id, item } = offer
  const answer: AnsweredOffer = [vendor.name, item]
  const actor = vendor.installed.username
  const owner = loadOwner(ctx.organization)
  const key = token(owner, scope.owner, scope.name, id, actor)
  const all = waitingOf(ctx.elastic)
  const waiting = all.get(key)
  if (waiting) {
    waiting.answers.set(vendor.key, answer)
    return waiting.written
  }
  const answers = new Map([[vendor.key, answer]])
  const cost = ctx.requests.hasOthers(owner) ? WRITES : 1
  const place = writesOf(ctx.elastic)
    .enter(owner, { cost, signal: ctx.signal })
    .finally(() => all.delete(key))
  const written = write(ctx, place, { scope, id, actor, answers })
  all.set(key, { answers, written })
  return written
}

interface NewOffers extends Omit<NewOffer, 'item'>, Pick<WaitingOffers, 'answers'> {
  readonly actor: string
}

const withAnswers = (answers: readonly AnsweredOffer[]) => (document: ProductDocument) => {
  const changed = answers.reduce(
    (before, [vendor, item]) => withAnswer(before, vendor, item) ?? before,
    document,
  )
  return changed === document ? undefined : changed
}

/** Writes new offers of a product in a place of its own. Failures are logged. */
async function write(ctx: Context, place: Promise<Leave>, { answers, ...offers }: NewOffers) {
  const { scope, id, actor } = offers
  const options = { source: 'real-time', offersUnlogged: true, actor } as const
  // An offer that cannot be stored fails alone.
  const change = async (some: readonly AnsweredOffer[]): Promise<void> => {
    try {
      await changeProduct(ctx, scope, id, withAnswers(some), options)
    } catch (error) {
      if (!(error instanceof Invalid) || some.length === 1) return failed(ctx, error)
      for (const one of some) await change([one])
    }
  }
  try {
    const leave = await place
    const began = performance.now()
    await change([...answers.values()])
    leave(restSince(ctx.requests, loadOwner(ctx.organization), began))
  } catch (error) {
    failed(ctx, error)
  }
}

function failed({ log }: Context, error: unknown): void {
  // A product that was deleted meanwhile needs no offer.
  if (!(error instanceof NotFound)) logFailure(log, 'an offer was not stored', error)
}
