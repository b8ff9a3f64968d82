import { LRUCache } from 'lru-cache'
import type { Elastic } from '../elastic/client.ts'
import type { ProductIdentity } from '../extensions/contract.ts'
import { isFor } from '../extensions/installation.ts'
import { identityOf } from '../extensions/product-identity.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { isWithin } from '../platform/clock.ts'
import { untilAborted } from '../platform/deadline.ts'
import { mapInSteps } from '../platform/in-steps.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { slicesOf } from '../platform/slices.ts'
import type { CatalogProduct } from '../products/references.ts'
import { token } from '../text.ts'
import { callVendor, lateText, type Question } from './call.ts'
import { failure, type ItemResult } from './check-item.ts'
import { hasNumber } from './match-items.ts'
import { storeOffers } from './store-offers.ts'
import type { Vendor } from './vendors.ts'

/** Which vendors are asked about which products. */
export interface Inquiry extends Omit<Question, 'products'> {
  readonly vendors: readonly Vendor[]
  readonly products: readonly CatalogProduct[]
}

/** The answer of a vendor about one product. */
interface ProductAnswer {
  readonly result: ItemResult
  /** Characters of it as JSON. */
  readonly length: number
  /** When it answered; null when it did not. */
  readonly time: Date | null
  /** Resolves when it is stored in the catalog. */
  readonly stored: Promise<void>
}

/** The answer of one vendor about one product. */
export interface VendorAnswer extends Omit<ProductAnswer, 'length'> {
  readonly vendor: Vendor
  readonly asked: CatalogProduct
}

/** An answer among those of one call. */
interface PendingAnswer {
  readonly reply: Promise<readonly ProductAnswer[]>
  /** Its place in the reply. */
  readonly place: number
}

interface CachedAnswer extends PendingAnswer {
  /** Milliseconds since 1970; undefined while the answer is pending. */
  readonly answered?: number
  /** Characters of the answer; 0 while it is pending. */
  readonly length: number
}

/** Answers by question. Concurrent callers share a pending answer, which is cached afterwards. */
const cacheOf = memoizeWeak<Elastic, Cache>(
  () =>
    new LRUCache({
      max: limits.realtimeAnswers,
      maxSize: limits.realtimeKeptBytes,
      sizeCalculation: ({ length }, key) => length + key.length,
    }),
)

/**
 * Asks all vendors concurrently about the products of the catalogs that they serve. Never throws: a
 * vendor that fails or is late has errors for answers, as has what exceeds one answer. Recent
 * answers are reused. The request keeps its place except while it waits.
 */
export async function askVendors(
  { leavePlace, retakePlace, ...ctx }: Context,
  inquiry: Inquiry,
): Promise<VendorAnswer[]> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(limits.realtimeAllMs)])
  const end = untilAborted(signal, new Promise<never>(() => {})).catch(() => undefined)
  const replies = new Map<PendingAnswer['reply'], readonly ProductAnswer[] | undefined>()
  const note = async (reply: PendingAnswer['reply']) => void replies.set(reply, await reply)
  const questions = await mapInSteps(inquiry.vendors, (vendor) => {
    const products = inquiry.products.filter(({ scope }) => isFor(vendor.installed, scope.name))
    const answers = answersOf(ctx, vendor, { ...inquiry, products })
    for (const { reply } of answers) if (!replies.has(reply)) replies.set(reply, undefined)
    return { vendor, products, answers }
  })
  leavePlace?.()
  await Promise.race([Promise.all([...replies.keys()].map(note)), end])
  const pairs = questions.reduce((sum, { answers }) => sum + answers.length, 0)
  await retakePlace?.(ctx.signal, realtimePlaces(pairs)).catch(() => undefined)
  let left: number = limits.realtimeAnswerLength
  const fitting = (answered: ProductAnswer): ProductAnswer => {
    left -= answered.length
    return left >= 0 ? answered : { ...unanswered(TOO_MUCH), stored: answered.stored }
  }
  const answers = await mapInSteps(questions, ({ vendor, products, answers }) => {
    const late = unanswered(lateText(vendor))
    return answers.map(({ reply, place }, at) => ({
      vendor,
      asked: products[at]!,
      ...fitting(replies.get(reply)?.[place] ?? late),
    }))
  })
  return answers.flat()
}

/** Places of a request for its answers about so many products and vendors, as for a body. */
export const realtimePlaces = (pairs: number): number =>
  Math.min(limits.bodyPlaces, 1 + Math.floor(pairs / PAIRS_BY_PLACE))

const PAIRS_BY_PLACE = 250

const unanswered = (text: string): ProductAnswer => ({
  result: failure(text),
  length: text.length,
  time: null,
  stored: Promise.resolve(),
})

const TOO_MUCH = `The responses of all vendors are longer than ${limits.realtimeAnswerLength} characters. Request fewer products at once.`
const NO_NUMBER: PendingAnswer = {
  reply: Promise.resolve([unanswered('The product has no part number, which the request needs.')]),
  place: 0,
}

/** One answer for each product: cached, pending, or asked for now. */
function answersOf(ctx: Context, vendor: Vendor, inquiry: Inquiry): PendingAnswer[] {
  const cache = cacheOf(ctx.elastic)
  const now = ctx.clock.now().getTime()
  const isShared = isForAll(inquiry)
  const open: Open[] = []
  const answers = inquiry.products.map((asked, at) => {
    const identity = identityOf(asked.product, vendor.name)
    if (!hasNumber(identity)) return NO_NUMBER
    const key = keyOf(vendor, asked, identity)
    const cached = isShared ? cache.get(key) : undefined
    if (cached && isValid(cached, now)) return cached
    open.push({ asked, identity, at, key })
    return undefined
  })
  for (const batch of slicesOf(open, limits.realtimeBatch)) {
    const reply = inquire(ctx, vendor, inquiry, batch)
    const entries = batch.map(({ key }, place) => ({ key, entry: { reply, place, length: 0 } }))
    for (const [place, { at }] of batch.entries()) answers[at] = entries[place]!.entry
    if (isShared) share(cache, entries, reply, isKept(vendor))
  }
  return answers as PendingAnswer[]
}

/** Whether answers may be shared. Values of one run may change them for its caller only. */
const isForAll = ({ additionalFields }: Inquiry): boolean =>
  Object.keys(additionalFields).length === 0

/** Whether a vendor's answers may be cached. */
const isKept = ({ extension }: Vendor): boolean => !extension?.manifest.noStore

type Cache = LRUCache<string, CachedAnswer>

const isValid = ({ answered }: CachedAnswer, now: number): boolean =>
  answered === undefined || isWithin(answered, limits.realtimeBelievedMs, now)

/** Shares the answers of one call while it is pending, and afterwards if they may be cached. */
function share(
  cache: Cache,
  entries: readonly { readonly key: string; readonly entry: CachedAnswer }[],
  reply: PendingAnswer['reply'],
  isKept: boolean,
): void {
  for (const { key, entry } of entries) cache.set(key, entry)
  reply.then((answers) => {
    for (const [place, { key, entry }] of entries.entries()) {
      const answer = answers[place]!
      const { time, length } = answer
      if (cache.peek(key) !== entry) continue
      // Alone, so that it does not keep the others of its call.
      const alone = { reply: Promise.resolve([answer]), place: 0, length }
      if (time && isKept) cache.set(key, { ...alone, answered: time.getTime() })
      else cache.delete(key)
    }
  })
}

async function inquire(
  ctx: Context,
  vendor: Vendor,
  inquiry: Inquiry,
  batch: readonly Open[],
): Promise<ProductAnswer[]> {
  const { action, additionalFields, workspace, readShared } = inquiry
  const products = batch.map(({ identity }) => identity)
  const question = { action, additionalFields, workspace, readShared, products }
  const { results, time } = await callVendor(ctx, vendor, question)
  const isNews = time && isForAll(inquiry) && isKept(vendor)
  const answered = batch.map(({ asked }, at) => ({ asked, result: results[at]! }))
  const stored = isNews ? storeOffers(ctx, vendor, answered) : Promise.resolve()
  return mapInSteps(results, (result) => ({ result, length: lengthOf(result), time, stored }))
}

const lengthOf = ({ item, error }: ItemResult): number =>
  item ? JSON.stringify(item).length : error!.length

interface Open {
  readonly asked: CatalogProduct
  readonly identity: ProductIdentity
  /** Its place among the products. */
  readonly at: number
  readonly key: string
}

function keyOf({ key }: Vendor, { scope, product }: CatalogProduct, identity: ProductIdentity) {
  const { vendorPartNumber, manufacturerPartNumber } = identity
  const numbers = [vendorPartNumber ?? '', manufacturerPartNumber ?? '']
  return token(key, scope.owner, scope.name, product.id, ...numbers)
}
