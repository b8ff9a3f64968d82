import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { verifyCredential } from '../keys/verify.ts'
import { limits } from '../limits.ts'
import type { PublicContext } from '../operation.ts'
import { checkLimit } from '../platform/limited-creation.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { callbackOf } from './return-address.ts'
import type { SetupAnswer, SetupBody } from './schemas.ts'
import { newToken, sessionId } from './session.ts'
import { countSessions, storeSession } from './store.ts'

export type SetupResult = Pick<z.infer<typeof SetupAnswer>, 'startPageUrl' | 'expires'>

/** Places of a setup or a start once its caller is known, as of other changes. */
export const SESSION_COST = 2

/**
 * Sets a session up. Throws Unauthenticated, and Invalid for an address that the organization does
 * not allow.
 */
export async function setUp(ctx: PublicContext, body: SetupBody): Promise<SetupResult> {
  const buyer = await verifyCredential(ctx, body)
  const callbackUrl = callbackOf(body.callbackUrl, buyer.family)
  const { requests, signal } = ctx
  return requests.run(
    loadOwner(buyer.family.organization),
    () => invite(ctx, buyer, { ...body, callbackUrl }),
    { cost: SESSION_COST, signal },
  )
}

type Buyer = Awaited<ReturnType<typeof verifyCredential>>

async function invite(
  ctx: PublicContext,
  { key, family: { organization }, member }: Buyer,
  { callbackUrl, buyerCookie, priceList }: SetupBody,
): Promise<SetupResult> {
  checkLimit(
    await countSessions(ctx, organization.id),
    limits.punchoutSessions,
    `An organization has at most ${limits.punchoutSessions} punchout sessions at once.`,
  )
  const token = newToken()
  const now = ctx.clock.now().getTime()
  const opens = new Date(now + limits.punchoutTokenMs)
  await storeSession(ctx, {
    scope: organization.id,
    id: sessionId(token),
    username: member.username,
    membership: member.membership,
    setupKey: key.hash,
    callbackUrl,
    buyerCookie,
    priceList,
    workspace: crypto.randomUUID(),
    salt: randomBytes(24).toString('base64url'),
    opens: opens.toISOString(),
    over: new Date(opens.getTime() + limits.punchoutSessionMs).toISOString(),
  })
  // The fragment of an address reaches neither servers nor their logs.
  const startPageUrl = `${ctx.publicUrl}/#punchout=${token}`
  return { startPageUrl, expires: opens.toISOString() }
}
