import { setTimeout } from 'node:timers/promises'
import { Invalid } from '../errors.ts'
import type { ExtensionRunRequest } from '../extensions/wire.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { ask, type Word } from './ask.ts'
import { type Subject, subjectOf } from './asked.ts'
import { vendorOf } from './installed.ts'
import { vendorsNow } from './revision.ts'
import type { RealtimeAllAnswer, RealtimeAnswer } from './schemas.ts'
import { allAnswer, oneAnswer } from './shown.ts'
import type { Vendor } from './vendor.ts'

/** How long an answer waits for the catalog to have the offers that it tells. */
const STORED_MS = 300

/** Asks every vendor that the caller may use. Throws as subjectOf. */
export async function runAll(ctx: Context, body: ExtensionRunRequest): Promise<RealtimeAllAnswer> {
  const end = endOf(ctx)
  const [subject, installed] = await Promise.all([subjectOf(ctx, body), vendorsNow(ctx)])
  const vendors = installed.map(({ one, revision }) => vendorOf(one, { revision, action: 'run' }))
  const { products } = subject
  if (products.length * vendors.length > limits.realtimePairs) {
    const most = Math.floor(limits.realtimePairs / vendors.length)
    throw new Invalid(
      `products: at most ${most} at once, since ${vendors.length} vendors are asked`,
    )
  }
  return allAnswer(products, await words(ctx, { vendors, subject, body, end }))
}

/** Asks one vendor. Throws as subjectOf. */
export async function runOne(
  ctx: Context,
  vendor: Vendor,
  body: ExtensionRunRequest,
): Promise<RealtimeAnswer> {
  const end = endOf(ctx)
  const subject = await subjectOf(ctx, body)
  return oneAnswer(subject.products, await words(ctx, { vendors: [vendor], subject, body, end }))
}

const endOf = ({ signal }: Context): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(limits.realtimeAllMs)])

interface Asking {
  readonly vendors: readonly Vendor[]
  readonly subject: Subject
  readonly body: ExtensionRunRequest
  readonly end: AbortSignal
}

/** Who reads a product after the answer finds what it told, unless the catalog is slow to take it. */
async function words(ctx: Context, { vendors, subject, body, end }: Asking): Promise<Word[]> {
  const said = await ask(ctx, {
    vendors,
    products: subject.products.flatMap(({ asked }) => (asked ? [asked] : [])),
    fields: body.additionalFields,
    workspace: subject.workspace,
    signal: end,
  })
  const stored = Promise.all(new Set(said.map((word) => word.stored)))
  await Promise.race([stored, setTimeout(STORED_MS)])
  return said
}
