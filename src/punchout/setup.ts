import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { verifyCredential } from '../keys/verify.ts'
import { limits } from '../limits.ts'
import type { PublicContext } from '../operation.ts'
import { checkLimit } from '../platform/limited-creation.ts'
import { callbackOf } from './return-address.ts'
import type { SetupAnswer, SetupBody } from './schemas.ts'
import { newToken, sessionId } from './session.ts'
import { countSessions, storeSession } from './store.ts'

export type SetupResult = Pick<z.infer<typeof SetupAnswer>, 'startPageUrl' | 'expires'>

/**
 * Sets a session up. Throws Unauthenticated, and Invalid for an address that the organization does
 * not allow.
 */
export async function setUp(ctx: PublicContext, body: SetupBody): Promise<SetupResult> {
  const { key, family, member } = await verifyCredential(ctx, body)
  const { organization } = family
  const callbackUrl = callbackOf(body.callbackUrl, family)
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
    buyerCookie: body.buyerCookie,
    priceList: body.priceList,
    workspace: crypto.randomUUID(),
    salt: randomBytes(24).toString('base64url'),
    opens: opens.toISOString(),
    over: new Date(opens.getTime() + limits.punchoutSessionMs).toISOString(),
  })
  // The fragment of an address reaches neither servers nor their logs.
  const startPageUrl = `${ctx.publicUrl}/#punchout=${token}`
  return { startPageUrl, expires: opens.toISOString() }
}
