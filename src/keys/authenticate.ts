import type { Authenticate, Authenticated } from '../authentication.ts'
import type { Elastic } from '../elastic/client.ts'
import { Invalid, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { ChangeNote, Identity, PublicContext, Role, Services } from '../operation.ts'
import { signedInMember } from '../organizations/first-sign-in.ts'
import {
  effectiveOrganization,
  type Family,
  isOrganizationId,
  roleGiven,
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
import { type Admission, createAdmission } from '../platform/admission.ts'
import { partOf, rootOf } from '../platform/load-owner.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import type { Person } from '../sign-in/person.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { type ActiveKey, activeKey } from './active-key.ts'

/** The fields that determine which organizations a key reaches. */
type KeyIdentity = Pick<
  ActiveKey,
  'hash' | 'keyType' | 'username' | 'organization' | 'reach' | 'person' | 'weigh'
>

/** Identifies the caller and the organization in effect, by a key or, where people sign in, a token. */
export const authenticateBy =
  (signIn: SignIn | undefined): Authenticate =>
  async (ctx, credentials, { needsOrganization, onKey }) => {
    const key = await activeKey(ctx, credentials, { onKey, signIn })
    const { organization, suborganization } = credentials
    const needed = needsOrganization || suborganization !== undefined
    const selected = organization ?? (await impliedOrganization(ctx, key, needed))
    if (selected === null) return authenticatedOutside(key)
    const base = await reachedOrganization(ctx, key, selected)
    if (suborganization === undefined) return authenticatedIn(await named(ctx, key, base), base)
    const child = await reachedOrganization(ctx, key, suborganization)
    if (child.organization.parent !== base.organization.id) throw new NotFound('Organization')
    return authenticatedIn(await named(ctx, key, child), child)
  }

/** The organization of a request that names none; null when none is implied and none is needed. */
async function impliedOrganization(
  ctx: PublicContext,
  key: KeyIdentity,
  needed: boolean,
): Promise<string | null> {
  // Later memberships of the user do not change it.
  if (key.organization !== null) return key.organization
  if (!needed) return null
  const only = key.reach === 'operator' && (await soleOrganization(ctx, ctx.signal))
  if (only) return only
  throw new Invalid(
    'x-organization: required because this key does not have access to exactly one organization',
  )
}

interface ReachedOrganization extends Family {
  readonly role: Role
}

/** Callers cannot tell unknown organizations from foreign ones. */
async function reachedOrganization(
  ctx: PublicContext,
  key: KeyIdentity,
  id: string,
): Promise<ReachedOrganization> {
  const look = async () => {
    if (!(await mayReach(ctx, key, id))) return undefined
    const family = await familyOf(ctx, id, { signal: ctx.signal })
    const role = family && roleOf(key, family)
    return role ? { ...family, role } : undefined
  }
  const known = await look()
  if (known) return known
  // Each further look is a search that nothing keeps. It counts before it waits for others.
  const weight = weightOfLook(key)
  key.weigh?.(weight)
  const found = (await forgetAccess(ctx, key, id)) ? await look() : undefined
  if (!found) throw new NotFound('Organization')
  key.weigh?.(-weight)
  return found
}

/** The visitors of a page share its search key, which none of them must use up for the others. */
const weightOfLook = ({ keyType }: KeyIdentity): number =>
  keyType === 'search' ? 1 : limits.rateOfFailure

/** Looks of a family wait for each other: before the organization is known, nothing bounds them. */
const looksOf = memoizeWeak<Elastic, Admission>(() =>
  createAdmission({
    ...{ capacity: 4, share: 2, what: 'requests for other organizations' },
    ...{ waiting: 8 * limits.organizationWaiting, ownerWaiting: limits.organizationWaiting },
    // The cache shares a look, so it must not end with the signal of one caller.
    waitMs: limits.requestWaitMs,
  }),
)

/**
 * For whom a look counts. Keys of a family take turns, and so do the visitors of a page, who share
 * its search key.
 */
async function ownerOfLook(ctx: PublicContext, key: KeyIdentity): Promise<string> {
  const { organization, username, keyType, hash } = key
  const home = organization === null ? undefined : await familyOf(ctx, organization, {})
  const whole = home ? rootOf(home.organization) : `user ${username}`
  return partOf(whole, keyType === 'search' ? `${ctx.sender?.address}` : hash)
}

/**
 * Whether the key may reach that organization, without reading one that it does not reach: foreign
 * and missing organizations take the same reads.
 */
async function mayReach(ctx: PublicContext, key: KeyIdentity, id: string): Promise<boolean> {
  if (key.reach === 'operator' || key.organization === id) return true
  if (!isOrganizationId(id)) return false
  const look = async () => {
    const [one] = await reachable(ctx, { id }, { ways: await accessPathsOf(ctx, key) })
    return one
  }
  const load = async () => looksOf(ctx.elastic).run(await ownerOfLook(ctx, key), look)
  const found = await ctx.cache.get(ACCESS, accessKeyOf(key, id), load, { signal: ctx.signal })
  return found !== undefined
}

const ACCESS = 'way'
const accessKeyOf = (key: KeyIdentity, id: string) => `${key.hash} ${id}`

/** What gives a key access to organizations; empty for an operator's key, which needs nothing. */
export async function accessPathsOf(
  services: Services,
  key: KeyIdentity,
  signal?: AbortSignal,
): Promise<AccessPaths> {
  const { reach, username, person } = key
  if (person) return { homes: [...person.roles.keys()] }
  const own = key.organization === null ? [] : [key.organization]
  if (reach !== 'user') return { homes: own }
  return { homes: [...own, ...(await membershipsOf(services, username, signal))], username }
}

/**
 * Whether the key may reach that organization, without the cache. What it does not reach stays
 * cached, so that nobody can have it read again and again.
 */
async function forgetAccess(ctx: PublicContext, key: KeyIdentity, id: string): Promise<boolean> {
  ctx.cache.drop(ACCESS, accessKeyOf(key, id))
  ctx.cache.drop('memberships', key.username)
  if (!(await mayReach(ctx, key, id))) return false
  await forgetFamily(ctx, id)
  return true
}

export function roleOf(key: KeyIdentity, family: Family): Role | null {
  if (key.reach === 'operator') return 'operator'
  if (key.person) return roleGiven(family, key.person)
  const { id, parent } = family.organization
  if (key.reach === 'organization' && key.organization !== id && key.organization !== parent) {
    return null
  }
  return roleIn(family, key.username)
}

/** The key's role in the parent; none for a key bound to the child. */
const parentRoleOf = (key: KeyIdentity, { parent }: Family): Role | null =>
  parent && roleOf(key, { organization: parent, parent: null })

function authenticatedIn(key: ActiveKey, { role, ...family }: ReachedOrganization): Authenticated {
  return {
    caller: { ...identity(key), role, parentRole: parentRoleOf(key, family) },
    organization: effectiveOrganization(family),
    ...(key.weigh ? { weigh: key.weigh } : {}),
  }
}

/** For a token, the key with its bearer's user name in the organization. */
async function named(
  ctx: PublicContext,
  key: ActiveKey,
  family: ReachedOrganization,
): Promise<ActiveKey> {
  if (!key.person || key.reach === 'operator') return key
  let change: ChangeNote = {}
  const noteChange = (noted: ChangeNote) => {
    change = noted
  }
  const { username } = await signedInMember({ ...ctx, noteChange }, family, key.person)
  const user = { ...key, username }
  const { owner, before, after } = change
  // The last note may say that another request of theirs was faster.
  if (owner !== undefined && after !== before) {
    await ctx.noteSignIn({ ...ctx, ...authenticatedIn(user, family) }, { owner, before, after })
  }
  return user
}

const authenticatedOutside = (key: ActiveKey): Authenticated => ({
  caller: {
    ...identity(key),
    role: key.reach === 'operator' ? 'operator' : 'viewer',
    parentRole: null,
  },
  organization: null,
  ...(key.weigh ? { weigh: key.weigh } : {}),
})

const identity = ({ person, ...key }: ActiveKey) => ({
  username: key.username,
  keyId: key.id,
  keyType: key.keyType,
  origins: key.origins,
  ...(key.cache ? { cache: key.cache } : {}),
  boundTo: key.reach === 'organization' ? key.organization : null,
  ...(person ? { identity: identityOf(person) } : {}),
  ...(key.session ? { session: key.session } : {}),
  ...(key.bounds ? { bounds: key.bounds } : {}),
  ...(key.userToken === undefined ? {} : { userToken: key.userToken }),
})

const identityOf = ({ issuer, subject, roles }: Person): Identity => ({
  issuer,
  subject,
  organizations: [...roles.keys()],
})
