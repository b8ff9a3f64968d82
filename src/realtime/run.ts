import { setTimeout } from 'node:timers/promises'
import { Invalid } from '../errors.ts'
import type { ExtensionRunRequest } from '../extensions/wire.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { ask, type Word } from './ask.ts'
import { type Named, namedProducts } from './asked.ts'
import { vendorOf } from './installed.ts'
import { vendorsNow } from './revision.ts'
import type { RealtimeAllAnswer, RealtimeAnswer } from './schemas.ts'
import { allAnswer, oneAnswer } from './shown.ts'
import type { Vendor } from './vendor.ts'

/** How long an answer waits for the catalog to have the offers that it tells. */
const STORED_MS = 300

/** Asks every vendor that the caller may use. Throws as namedProducts. */
export async function runAll(ctx: Context, body: ExtensionRunRequest): Promise<RealtimeAllAnswer> {
  const end = endOf(ctx)
  const [products, installed] = await Promise.all([namedProducts(ctx, body), vendorsNow(ctx)])
  const vendors = installed.map(({ one, revision }) => vendorOf(one, { revision, action: 'run' }))
  if (products.length * vendors.length > limits.realtimePairs) {
    const most = Math.floor(limits.realtimePairs / vendors.length)
    throw new Invalid(
      `products: at most ${most} at once, since ${vendors.length} vendors are asked`,
    )
  }
  return allAnswer(products, await words(ctx, { vendors, products, body, end }))
}

/** Asks one vendor. Throws as namedProducts. */
export async function runOne(
  ctx: Context,
  vendor: Vendor,
  body: ExtensionRunRequest,
): Promise<RealtimeAnswer> {
  const end = endOf(ctx)
  const products = await namedProducts(ctx, body)
  return oneAnswer(products, await words(ctx, { vendors: [vendor], products, body, end }))
}

const endOf = ({ signal }: Context): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(limits.realtimeAllMs)])

interface Asking {
  readonly vendors: readonly Vendor[]
  readonly products: readonly Named[]
  readonly body: ExtensionRunRequest
  readonly end: AbortSignal
}

/** Who reads a product after the answer finds what it told, unless the catalog is slow to take it. */
async function words(ctx: Context, { vendors, products, body, end }: Asking): Promise<Word[]> {
  const said = await ask(ctx, {
    vendors,
    products: products.flatMap(({ asked }) => (asked ? [asked] : [])),
    fields: body.additionalFields,
    workspace: body.workspace,
    signal: end,
  })
  const stored = Promise.all(new Set(said.map((word) => word.stored)))
  await Promise.race([stored, setTimeout(STORED_MS)])
  return said
}
