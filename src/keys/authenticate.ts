import type { Authenticate, Authenticated } from '../authentication.ts'
import { Invalid, NotFound, TooManyRequests, Unauthenticated } from '../errors.ts'
import type { PublicContext, Role } from '../operation.ts'
import {
  effectiveOrganization,
  type Family,
  isOrganizationId,
  roleIn,
} from '../organizations/organization.ts'
import {
  type AccessPaths,
  familyOf,
  forgetFamily,
  membershipsOf,
  reachable,
  soleOrganization,
} from '../organizations/store.ts'
import { isActive, isMembershipCurrent, type Key } from './key.ts'
import { couldBeKey, hashOf } from './key-text.ts'
import { noteUse } from './last-use.ts'
import { findKey } from './store.ts'

/** Identifies the caller and the organization in effect. */
export const authenticate: Authenticate = async (
  ctx,
  credentials,
  { needsOrganization, onKey },
) => {
  const key = await activeKey(ctx, credentials.secret)
  onKey(key)
  const wait = ctx.keyRates.take(key.hash)
  if (wait > 0) throw new TooManyRequests('Too many requests with this key. Try again later.', wait)
  const { organization, suborganization } = credentials
  const needed = needsOrganization || suborganization !== undefined
  const selected = organization ?? (await impliedOrganization(ctx, key, needed))
  if (selected === null) return authenticatedOutside(key)
  const base = await reachedOrganization(ctx, key, selected)
  if (suborganization === undefined) return authenticatedIn(key, base)
  const child = await reachedOrganization(ctx, key, suborganization)
  if (child.organization.parent !== base.organization.id) throw new NotFound('Organization')
  return authenticatedIn(key, child)
}

/** Unknown, malformed, disabled, expired and orphaned keys get the same answer. */
async function activeKey(ctx: PublicContext, secret: string | undefined): Promise<Key> {
  if (secret === undefined || !couldBeKey(secret)) throw new Unauthenticated()
  const key = await keyWith(ctx, hashOf(secret))
  // A session ends with the key that set it up.
  if (key.session) await keyWith(ctx, key.session.setupKey)
  else noteUse(ctx, key.id)
  return key
}

async function keyWith(ctx: PublicContext, hash: string): Promise<Key> {
  const key = await findKey(ctx, hash, ctx.signal)
  const holds = key && isActive(key, ctx.clock.now()) && (await hasMember(ctx, key))
  if (!holds) {
    ctx.keyRates.forget(hash)
    throw new Unauthenticated()
  }
  return key
}

/** Whether the key's user still has the membership that it was generated for. */
async function hasMember(ctx: PublicContext, key: Key): Promise<boolean> {
  if (key.reach === 'operator') return true
  const look = async () => {
    const home = await familyOf(ctx, key.organization!, { signal: ctx.signal })
    return isMembershipCurrent(key, home)
  }
  return retriedUncached(look, () => forgetFamily(ctx, key.organization!))
}

/** Retries without the cache when the cached answer is negative: a membership may be newer. */
async function retriedUncached<T>(look: () => Promise<T>, forget: () => Promise<void>): Promise<T> {
  const found = await look()
  if (found) return found
  await forget()
  return look()
}

/** The organization of a request that names none; null when none is implied and required. */
async function impliedOrganization(
  ctx: PublicContext,
  key: Key,
  needed: boolean,
): Promise<string | null> {
  // Later memberships of the user do not change it.
  if (key.reach !== 'operator') return key.organization
  const only = needed && (await soleOrganization(ctx, ctx.signal))
  if (only) return only
  if (!needed) return null
  throw new Invalid(
    'x-organization: required, since this key does not reach exactly one organization',
  )
}

interface ReachedOrganization extends Family {
  readonly role: Role
}

/** Callers cannot tell unknown organizations from foreign ones. */
async function reachedOrganization(
  ctx: PublicContext,
  key: Key,
  id: string,
): Promise<ReachedOrganization> {
  const look = async () => {
    if (!(await mayReach(ctx, key, id))) return undefined
    const family = await familyOf(ctx, id, { signal: ctx.signal })
    const role = family && roleOf(key, family)
    return role ? { ...family, role } : undefined
  }
  const found = await retriedUncached(look, () => forgetAccess(ctx, key, id))
  if (!found) throw new NotFound('Organization')
  return found
}

/**
 * Whether the key may reach that organization, without reading one that it does not reach: foreign
 * and missing organizations take the same reads.
 */
async function mayReach(ctx: PublicContext, key: Key, id: string): Promise<boolean> {
  if (key.reach === 'operator' || key.organization === id) return true
  if (!isOrganizationId(id)) return false
  const found = await ctx.cache.get(ACCESS, accessKeyOf(key, id), async () => {
    const [one] = await reachable(
      ctx,
      { id },
      { ways: await accessPathsOf(ctx, key), signal: ctx.signal },
    )
    return one
  })
  return found !== undefined
}

const ACCESS = 'way'
const accessKeyOf = (key: Key, id: string) => `${key.hash} ${id}`

/** What gives a key access to organizations; empty for an operator's key, which needs nothing. */
export async function accessPathsOf(ctx: PublicContext, key: Key): Promise<AccessPaths> {
  const { reach, username } = key
  const own = key.organization === null ? [] : [key.organization]
  if (reach !== 'user') return { homes: own }
  return { homes: [...own, ...(await membershipsOf(ctx, username, ctx.signal))], username }
}

async function forgetAccess(ctx: PublicContext, key: Key, id: string): Promise<void> {
  if (key.reach === 'operator') return forgetFamily(ctx, id)
  const { homes } = await accessPathsOf(ctx, key)
  ctx.cache.drop(ACCESS, accessKeyOf(key, id))
  ctx.cache.drop('memberships', key.username)
  for (const one of [id, ...homes]) ctx.cache.drop('organization', one)
}

export function roleOf(key: Key, family: Family): Role | null {
  if (key.reach === 'operator') return 'operator'
  const { id, parent } = family.organization
  if (key.reach === 'organization' && key.organization !== id && key.organization !== parent) {
    return null
  }
  return roleIn(family, key.username)
}

/** The key's role in the parent; none for a key bound to the child. */
const parentRoleOf = (key: Key, { parent }: Family): Role | null =>
  parent && roleOf(key, { organization: parent, parent: null })

function authenticatedIn(key: Key, { role, ...family }: ReachedOrganization): Authenticated {
  return {
    caller: { ...identity(key), role, parentRole: parentRoleOf(key, family) },
    organization: effectiveOrganization(family),
  }
}

const authenticatedOutside = (key: Key): Authenticated => ({
  caller: {
    ...identity(key),
    role: key.reach === 'operator' ? 'operator' : 'viewer',
    parentRole: null,
  },
  organization: null,
})

const identity = (key: Key) => ({
  username: key.username,
  keyId: key.id,
  keyType: key.keyType,
  origins: key.origins,
  boundTo: key.reach === 'organization' ? key.organization : null,
  ...(key.session ? { session: key.session } : {}),
})
