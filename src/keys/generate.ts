import { findList } from '../catalogs/price-lists/price-list.ts'
import { readLists } from '../catalogs/price-lists/store.ts'
import { openCatalog } from '../catalogs/store.ts'
import { Forbidden, Invalid, ignoring, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import { type Caller, type CallerContext, ROLES } from '../operation.ts'
import { type Family, memberOf, membershipIn, roleIn } from '../organizations/organization.ts'
import { currentOrganization, familyOf } from '../organizations/store.ts'
import { checkLimit } from '../platform/limited-creation.ts'
import { checkLength, lengthOf } from '../products/criteria.ts'
import { conditionsIn } from './bounds.ts'
import { type Key, newKey } from './key.ts'
import { newSecret } from './key-text.ts'
import type { ApiKeyRequest } from './schemas.ts'
import { countActiveKeys, createKey, removeKey } from './store.ts'

type NewKeyOwner = Pick<Key, 'username' | 'reach' | 'organization' | 'membership'>

/** A key and its secret, which is not stored and cannot be shown again. */
export interface NewKey {
  readonly id: string
  readonly secret: string
}

/** Generates a key. Throws Invalid, Forbidden, or NotFound for a user who is not a member. */
export async function generateKey(ctx: CallerContext, wanted: ApiKeyRequest): Promise<NewKey> {
  const now = ctx.clock.now()
  check(wanted, now)
  await checkCatalogs(ctx, wanted)
  const owner = await ownerOf(ctx, wanted)
  const secret = newSecret(wanted.keyType)
  const key = newKey(secret, now, {
    ...owner,
    name: wanted.name ?? `${wanted.keyType} key`,
    keyType: wanted.keyType,
    origins: wanted.origins,
    ...boundBy(wanted),
    cache: wanted.cache,
    expires: wanted.expires === null ? null : new Date(wanted.expires).toISOString(),
  })
  const { signal } = ctx
  // The key may be stored although its answer was lost. A key that nobody received must not count.
  const takeBack = async (error: unknown) => {
    ctx.background.run('remove a key', () => removeKey(ctx, key.hash))
    throw error
  }
  checkLimit(
    await countActiveKeys(ctx, owner),
    limits.keysPerUser,
    `${owner.username} has ${limits.keysPerUser} keys in this organization. Disable one to generate another.`,
  )
  await createKey(ctx, key, signal).catch(takeBack)
  ctx.noteChange?.({ after: key })
  return { id: key.id, secret }
}

function boundBy({ catalogs, filter, hide, rate, priceList }: ApiKeyRequest): Pick<Key, 'bounds'> {
  const isBound = [catalogs, filter, hide[0] ?? null, rate, priceList].some((one) => one !== null)
  return isBound ? { bounds: { catalogs, filter, hide, rate, priceList } } : {}
}

function check(wanted: ApiKeyRequest, now: Date): void {
  const { keyType, origins, catalogs, filter, hide, rate, priceList, cache } = wanted
  const { expires, allOrganizations } = wanted
  if (keyType !== 'search') {
    const hides = hide.length > 0 || null
    const bound = { origins, catalogs, filter, hide: hides, rate, priceList, cache }
    const [name] = Object.entries(bound).find(([, value]) => value !== null) ?? []
    if (name !== undefined) throw new Invalid(`${name}: only allowed for search keys`)
  }
  if (filter) {
    const { wanted, excluded } = conditionsIn(filter)
    checkLength(lengthOf([...wanted, ...excluded]), 'filter')
  }
  if (allOrganizations && keyType !== 'full') {
    throw new Invalid('allOrganizations: only allowed for full keys')
  }
  if (expires !== null && new Date(expires) <= now)
    throw new Invalid('expires: must be in the future')
}

/** Throws Invalid for a catalog that the key would never find, or one without its price list. */
async function checkCatalogs(
  ctx: CallerContext,
  { catalogs, priceList }: Pick<ApiKeyRequest, 'catalogs' | 'priceList'>,
): Promise<void> {
  const { organization } = ctx
  if (catalogs === null || organization === null) return
  const own = { ...ctx, organization }
  for (const [at, name] of catalogs.entries()) {
    const found = await openCatalog(own, name).catch(ignoring(NotFound))
    if (!found) throw new Invalid(`catalogs[${at}]: catalog not found`)
    if (priceList !== null && !findList(await readLists(own, found), priceList)) {
      throw new Invalid(`priceList: the catalog ${name} has no such price list`)
    }
  }
}

async function ownerOf(ctx: CallerContext, wanted: ApiKeyRequest): Promise<NewKeyOwner> {
  const { caller, organization } = ctx
  if (organization === null) return operatorOwner(caller, wanted)
  const username = wanted.username ?? caller.username
  if (caller.role === 'operator' && wanted.username === null) {
    throw new Invalid(
      'username: required because an operator is not a member of the organization; name one of its users, or add one first',
    )
  }
  if (username !== caller.username && !['administrator', 'operator'].includes(caller.role)) {
    throw new Forbidden('Generating a key for another user requires the role administrator.')
  }
  // Read now, not from the cache, since a user may have joined or left a moment ago.
  const family = await familyOf(ctx, organization.id, {
    read: currentOrganization,
    signal: ctx.signal,
  })
  const member = family && memberFor(caller, family, username)
  if (!member) throw new NotFound('User')
  checkRole(caller, family, username)
  if (wanted.allOrganizations) checkAllOrganizations(caller, username)
  return {
    username,
    reach: wanted.allOrganizations ? 'user' : 'organization',
    organization: organization.id,
    membership: member.membership,
  }
}

/**
 * The member for whom a key is generated. An administrator of a child alone generates no keys for
 * users of the parent.
 */
function memberFor({ username: own, role, parentRole }: Caller, family: Family, username: string) {
  const isAbove = role === 'operator' || parentRole === 'administrator'
  if (isAbove || username === own) return membershipIn(family, username)
  // Not even after adding them to the child.
  const isAlsoAbove = memberOf(family.parent, username) !== undefined
  return isAlsoAbove ? undefined : memberOf(family.organization, username)
}

/** A key has the stored role of its user, which may be stronger than that in the current token. */
function checkRole({ username: own, role, identity }: Caller, family: Family, username: string) {
  if (!identity || username !== own || role === 'operator') return
  const held = roleIn(family, username)
  if (held === null || ROLES.indexOf(held) <= ROLES.indexOf(role)) return
  throw new Forbidden(
    `Your current role is ${role}, but your key would still have the role ${held}.`,
  )
}

/** Otherwise an administrator could add a stranger by name and act for them elsewhere. */
function checkAllOrganizations(caller: Caller, username: string): void {
  const own = caller.boundTo === null && !caller.identity && caller.username === username
  if (caller.role === 'operator' || own) return
  throw new Forbidden(
    'Only an operator, or the same user with such a key, can generate a key for all organizations.',
  )
}

function operatorOwner(caller: Caller, { username, keyType }: ApiKeyRequest): NewKeyOwner {
  if (caller.role !== 'operator' || username !== null) {
    throw new Invalid('x-organization: required')
  }
  if (keyType !== 'full') throw new Invalid('keyType: an operator key must be of type full')
  return { username: caller.username, reach: 'operator', organization: null, membership: null }
}
