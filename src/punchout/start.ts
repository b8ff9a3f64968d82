import type { z } from 'zod'
import { Conflict, NotFound, Unavailable } from '../errors.ts'
import { isActive, isMembershipCurrent, type Key, newKey } from '../keys/key.ts'
import { createKey, currentKey } from '../keys/store.ts'
import { limits } from '../limits.ts'
import type { PublicContext } from '../operation.ts'
import { membershipIn } from '../organizations/organization.ts'
import { currentOrganization, familyOf } from '../organizations/store.ts'
import { type LoadedOrganization, loadOwner } from '../platform/load-owner.ts'
import { emptyWorkspace } from '../workspaces/changes.ts'
import { storeWorkspace } from '../workspaces/store.ts'
import type { StartAnswer } from './schemas.ts'
import { keyOf, type Session, sessionId, workspaceName } from './session.ts'
import { SESSION_COST } from './setup.ts'
import { readSession } from './store.ts'

/** Spends a token. Throws NotFound for one that is unknown, late, spent, or whose user is gone. */
export async function startSession(
  ctx: PublicContext,
  token: string,
): Promise<z.infer<typeof StartAnswer>> {
  const session = await readSession(ctx, sessionId(token))
  const organization = session && (await startingIn(ctx, session))
  if (!organization) {
    // As an invalid key does.
    ctx.weigh?.(limits.rateOfFailure)
    throw missing()
  }
  const { requests, signal } = ctx
  return requests.run(loadOwner(organization), () => spend(ctx, token, session), {
    cost: SESSION_COST,
    signal,
  })
}

async function spend(
  ctx: PublicContext,
  token: string,
  session: Session,
): Promise<z.infer<typeof StartAnswer>> {
  const { scope: organization, workspace } = session
  await storeWorkspace(ctx, organization, workspaceOf(session), ctx.signal)
  const secret = keyOf(token, session)
  const key = sessionKey(ctx, session, secret)
  // Of several requests with the same token, the one whose key is stored has spent it.
  try {
    await createKey(ctx, key, ctx.signal)
  } catch (error) {
    if (error instanceof Conflict) throw missing()
    if (!(error instanceof Unavailable)) throw error
    const stored = await currentKey(ctx, key.hash, ctx.signal)
    if (!stored) throw error
    if (stored.id !== key.id) throw missing()
  }
  return { key: secret, organization, workspace, expires: key.expires! }
}

const missing = () => new NotFound('Punchout session')

/**
 * The organization in which the session may start; undefined if the token, the key that set it up
 * or the membership is no longer valid.
 */
async function startingIn(
  ctx: PublicContext,
  session: Session,
): Promise<LoadedOrganization | undefined> {
  const { clock, signal } = ctx
  if (clock.now().getTime() >= new Date(session.opens).getTime()) return undefined
  const current = (id: string) => familyOf(ctx, id, { read: currentOrganization, signal })
  const [setupKey, family] = await Promise.all([
    currentKey(ctx, session.setupKey, signal),
    current(session.scope),
  ])
  if (!setupKey || !isActive(setupKey, clock.now()) || !family) return undefined
  const home = setupKey.organization === null ? undefined : await current(setupKey.organization)
  if (!isMembershipCurrent(setupKey, home)) return undefined
  const isMember = membershipIn(family, session.username)?.membership === session.membership
  return isMember ? family.organization : undefined
}

const workspaceOf = (session: Session) =>
  emptyWorkspace({
    id: session.workspace,
    name: workspaceName(session),
    session: session.id,
    username: session.username,
  })

function sessionKey({ clock, publicUrl }: PublicContext, session: Session, secret: string): Key {
  const now = clock.now()
  const { id, workspace, setupKey, priceList = null } = session
  return newKey(secret, now, {
    name: 'punchout session',
    keyType: 'search',
    username: session.username,
    reach: 'organization',
    organization: session.scope,
    membership: session.membership,
    session: { id, workspace, setupKey },
    origins: [new URL(publicUrl).origin],
    ...(priceList === null
      ? {}
      : { bounds: { catalogs: null, filter: null, hide: [], rate: null, priceList } }),
    expires: new Date(now.getTime() + limits.punchoutSessionMs).toISOString(),
  })
}
