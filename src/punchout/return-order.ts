import type { z } from 'zod'
import { LISTS_AT_ONCE, pricesInEffect } from '../catalogs/price-lists/in-effect.ts'
import { openCatalog } from '../catalogs/store.ts'
import { Forbidden, Invalid, ignoring, NotFound, Unauthenticated } from '../errors.ts'
import { endKey } from '../keys/store.ts'
import type { Context } from '../operation.ts'
import { familyOf } from '../organizations/store.ts'
import { mapLimited } from '../platform/map-limited.ts'
import { openWorkspace } from '../workspaces/store.ts'
import { type OrderItem, orderItem, orderMessage } from './order.ts'
import { currencyOf } from './return-address.ts'
import type { ReturnAnswer } from './schemas.ts'
import { callbackUrlOf, type Session } from './session.ts'
import { readSession } from './store.ts'

/** The form that the browser posts, and its address. */
type Form = z.infer<typeof ReturnAnswer>

/**
 * Returns the order of the caller's session, once, and ends the session. Throws Forbidden for other
 * keys.
 */
export async function returnOrder(ctx: Context, format: 'json' | 'cxml'): Promise<Form> {
  const { caller } = ctx
  if (!caller.session) {
    throw new Forbidden('Return Punchout Session requires the key of a punchout session.')
  }
  const session = await readSession(ctx, caller.session.id)
  if (!session) throw new NotFound('Punchout session')
  const form = {
    url: callbackUrlOf(ctx.secrets, session),
    fields: await fieldsOf(ctx, session, format),
  }
  // This comes last, so that an earlier failure leaves the session as it was.
  const end = await endKey(ctx, caller.keyId, { organization: session.scope })
  if (end !== 'ended') throw new Unauthenticated()
  return form
}

/** The currency of the list that the session buys by, else the configured one. Throws Invalid. */
async function orderCurrency(
  ctx: Context,
  { scope }: Session,
  items: readonly OrderItem[],
): Promise<string> {
  const listIn = async (catalog: string) =>
    pricesInEffect(ctx, await openCatalog(ctx, catalog), null)
  const isBound = ctx.caller.bounds?.priceList !== undefined
  const catalogs = isBound ? [...new Set(items.map(({ catalog }) => catalog))] : []
  const lists = await mapLimited(catalogs, LISTS_AT_ONCE, (name) =>
    listIn(name).catch(ignoring(NotFound, Forbidden)),
  )
  const [currency, ...others] = new Set(lists.flatMap((list) => list?.currency ?? []))
  if (others.length > 0) {
    throw new Invalid(
      `The prices are in ${[currency, ...others].join(' and ')}. Return the items of one currency at a time: remove the others first.`,
    )
  }
  return currency ?? currencyOf(await familyOf(ctx, scope, { signal: ctx.signal }))
}

async function fieldsOf(
  ctx: Context,
  session: Session,
  format: 'json' | 'cxml',
): Promise<Form['fields']> {
  const items = (await openWorkspace(ctx, session.workspace)).items.map(orderItem)
  const { buyerCookie } = session
  if (format === 'json') {
    return { items: JSON.stringify(items), ...(buyerCookie === null ? {} : { buyerCookie }) }
  }
  const message = orderMessage({
    payloadId: `${ctx.requestId}@${new URL(ctx.publicUrl).host}`,
    time: ctx.clock.now().toISOString(),
    supplier: session.scope,
    buyer: session.username,
    buyerCookie: buyerCookie ?? session.id,
    currency: await orderCurrency(ctx, session, items),
    items,
  })
  return { 'cXML-urlencoded': message }
}
