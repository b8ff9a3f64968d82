import { identityOf } from '../extensions/identity.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { token } from '../text.ts'
import { callVendor, isResting, late, resting } from './call.ts'
import { hasNumber } from './matching.ts'
import { failure, type Outcome } from './outcome.ts'
import { type Answered, stateOf } from './state.ts'
import type { Asked, Question, Vendor } from './vendor.ts'
import { storeOffers } from './write-back.ts'

/** Who is asked about what. */
export interface Inquiry {
  readonly vendors: readonly Vendor[]
  readonly products: readonly Asked[]
  readonly fields?: Question['fields']
  readonly workspace?: string | null
  /** Ends the waiting for whoever has not answered. */
  readonly signal: AbortSignal
}

/** What one vendor says of one product. */
export interface Word {
  readonly vendor: Vendor
  readonly asked: Asked
  readonly outcome: Outcome
  /** When it said so; null where it did not answer. */
  readonly time: Date | null
  /** Resolves when the catalog has it. */
  readonly stored: Promise<void>
}

/**
 * Asks all vendors at once about the products of catalogs that they are for. Never throws: who
 * fails or is late has an error in its words. What was answered a moment ago is not asked again.
 */
export async function ask(ctx: Context, inquiry: Inquiry): Promise<Word[]> {
  ctx.leavePlace?.()
  const end = endOf(inquiry.signal)
  const words = inquiry.vendors.flatMap((vendor) => {
    const products = inquiry.products.filter(({ scope }) => vendor.isFor(scope.name))
    const answers = answersOf(ctx, vendor, { ...inquiry, products })
    return products.map(async (asked, at): Promise<Word> => {
      const answered =
        (await Promise.race([answers[at]!, end])) ?? unsaid(late(vendor.name).message)
      const { outcome, time, stored } = answered
      return { vendor, asked, outcome, time, stored }
    })
  })
  return Promise.all(words)
}

function endOf(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  if (signal.aborted) resolve(undefined)
  else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  return promise
}

const settled = Promise.resolve()

const unsaid = (text: string): Answered => ({
  outcome: failure(text),
  time: null,
  until: 0,
  stored: settled,
})

const NO_NUMBER = 'The product has no part number to ask by.'

/** One answer for each product: known, on its way, or asked for now. */
function answersOf(
  ctx: Context,
  vendor: Vendor,
  { products, fields = {}, workspace = null }: Inquiry,
): Promise<Answered>[] {
  const { answers } = stateOf(ctx.elastic)
  const now = ctx.clock.now().getTime()
  // Values of one run may change what is answered: that is for this caller only.
  const isShared = Object.keys(fields).length === 0
  const open: Open[] = []
  const found = products.map((asked, at): Promise<Answered> | undefined => {
    const identity = identityOf(asked.product, vendor.name)
    if (!hasNumber(identity)) return Promise.resolve(unsaid(NO_NUMBER))
    const key = keyOf(vendor, asked)
    const known = isShared ? answers.get(key, now) : undefined
    if (!known) open.push({ asked, identity, at, key })
    return known
  })
  const rests = open.length > 0 && isResting(ctx, vendor)
  for (let from = 0; from < open.length; from += limits.realtimeBatch) {
    const batch = open.slice(from, from + limits.realtimeBatch)
    if (rests) {
      for (const { at } of batch) found[at] = Promise.resolve(unsaid(resting(vendor.name)))
      continue
    }
    const reply = inquire(ctx, vendor, { batch, fields, workspace, isShared })
    for (const [place, { at, key }] of batch.entries()) {
      const answer = reply.then((answered) => answered[place]!)
      found[at] = answer
      if (isShared) answers.share(key, answer, { now, until: ({ until }) => until })
    }
  }
  return found as Promise<Answered>[]
}

interface Open {
  readonly asked: Asked
  readonly identity: Question['products'][number]
  /** Its place among the products. */
  readonly at: number
  readonly key: string
}

function keyOf({ key, name }: Vendor, { scope, product }: Asked): string {
  const { vendorPartNumber, manufacturerPartNumber } = identityOf(product, name)
  const numbers = [vendorPartNumber ?? '', manufacturerPartNumber ?? '']
  return token(key, scope.owner, scope.name, product.id, ...numbers)
}

interface Inquired extends Omit<Question, 'products'> {
  readonly batch: readonly Open[]
  readonly isShared: boolean
}

async function inquire(
  ctx: Context,
  vendor: Vendor,
  { batch, fields, workspace, isShared }: Inquired,
): Promise<Answered[]> {
  const question = { products: batch.map(({ identity }) => identity), fields, workspace }
  const { outcomes, noStore, isAnswer } = await callVendor(ctx, vendor, question)
  const time = isAnswer ? ctx.clock.now() : null
  const keeps = isShared && !noStore
  const until = time && keeps ? time.getTime() + limits.realtimeBelievedMs : 0
  const products = batch.map(({ asked }) => asked)
  const stored = keeps ? storeOffers(ctx, vendor, { products, outcomes }) : settled
  return outcomes.map((outcome) => ({ outcome, time, until, stored }))
}
