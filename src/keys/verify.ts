import { Invalid, Unauthenticated } from '../errors.ts'
import type { PublicContext } from '../operation.ts'
import {
  type Family,
  isOrganizationId,
  type Member,
  membershipIn,
  type Organization,
} from '../organizations/organization.ts'
import { currentOrganization, organizationsNamed } from '../organizations/store.ts'
import { roleOf } from './authenticate.ts'
import { isHeld, isLive, type Key } from './key.ts'
import { hashOf } from './secret.ts'
import { currentKey } from './store.ts'

/** A credential in a body: the organization's id or name, a member, and a full key of theirs. */
export interface BodyCredential {
  readonly company: string
  readonly username: string
  readonly apiKey: string
}

export interface Verified {
  readonly key: Key
  readonly family: Family
  readonly member: Member
}

/** Looked up where nothing is known, so that every failure takes the same reads. */
const NOBODY = 'no-such-organization'

/**
 * Throws Unauthenticated, with the same bytes and after the same reads whatever is wrong; Invalid
 * when the key is good for several organizations of that name.
 */
export async function verifyCredential(
  ctx: PublicContext,
  { company, username, apiKey }: BodyCredential,
): Promise<Verified> {
  const look = async (id: string | null | undefined) => {
    const found = await currentOrganization(ctx, id ?? NOBODY, ctx.signal)
    return id ? found : undefined
  }
  const [key, byId, byName] = await Promise.all([
    currentKey(ctx, hashOf(apiKey), ctx.signal),
    look(isOrganizationId(company) ? company : undefined),
    organizationsNamed(ctx, company, ctx.signal),
  ])
  const named = byId ? [byId] : byName
  const reached = key ? named.filter((one) => reaches(key, one, username)) : []
  const organization = reached[0] ?? named[0]
  const [home, parent] = await Promise.all([look(key?.organization), look(organization?.parent)])
  const homeParent = await look(home?.parent)

  const family = organization && { organization, parent: parent ?? null }
  const member = family && membershipIn(family, username)
  const isGood =
    key !== undefined &&
    key.keyType === 'full' &&
    key.username === username &&
    isLive(key, ctx.clock.now()) &&
    isHeld(key, [home, homeParent])
  if (!isGood || !family || !member || !roleOf(key, family)) {
    throw new Unauthenticated('company, username or apiKey is wrong.')
  }
  if (reached.length > 1) throw new Invalid('company: several have this name, so send the id')
  return { key, family, member }
}

const reaches = (key: Key, { id, parent, users }: Organization, username: string): boolean =>
  key.reach === 'user'
    ? users.some((user) => user.username === username)
    : key.organization === id || (parent !== null && key.organization === parent)
