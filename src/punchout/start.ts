import type { z } from 'zod'
import { Conflict, NotFound, Unavailable } from '../errors.ts'
import { isActive, isMembershipCurrent, type Key, newKey } from '../keys/key.ts'
import { createKey, currentKey } from '../keys/store.ts'
import { limits } from '../limits.ts'
import type { PublicContext } from '../operation.ts'
import { membershipIn } from '../organizations/organization.ts'
import { currentOrganization, familyOf } from '../organizations/store.ts'
import { emptyWorkspace } from '../workspaces/changes.ts'
import { storeWorkspace } from '../workspaces/store.ts'
import type { StartAnswer } from './schemas.ts'
import { keyOf, type Session, sessionId, workspaceName } from './session.ts'
import { readSession } from './store.ts'

/** Spends a token. Throws NotFound for one that is unknown, late, spent, or whose user is gone. */
export async function startSession(
  ctx: PublicContext,
  token: string,
): Promise<z.infer<typeof StartAnswer>> {
  const session = await readSession(ctx, sessionId(token))
  if (!session || !(await mayStart(ctx, session))) throw missing()
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

/** Whether the token, the key that set it up, and the membership are still valid. */
async function mayStart(ctx: PublicContext, session: Session): Promise<boolean> {
  const { clock, signal } = ctx
  if (clock.now().getTime() >= new Date(session.opens).getTime()) return false
  const current = (id: string) => familyOf(ctx, id, { read: currentOrganization, signal })
  const [setupKey, family] = await Promise.all([
    currentKey(ctx, session.setupKey, signal),
    current(session.scope),
  ])
  if (!setupKey || !isActive(setupKey, clock.now()) || !family) return false
  const home = setupKey.organization === null ? undefined : await current(setupKey.organization)
  if (!isMembershipCurrent(setupKey, home)) return false
  return membershipIn(family, session.username)?.membership === session.membership
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
