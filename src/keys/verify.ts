import { Invalid, Unauthenticated } from '../errors.ts'
import type { PublicContext } from '../operation.ts'
import { isOrganizationId, membershipIn } from '../organizations/organization.ts'
import { currentOrganization, reachable } from '../organizations/store.ts'
import { accessPathsOf, roleOf } from './authenticate.ts'
import { isActive, isMembershipCurrent, type Key } from './key.ts'
import { hashOf } from './key-text.ts'
import { currentKey } from './store.ts'

/** A credential in a body: the organization's id or name, a member, and a full key of theirs. */
export interface BodyCredential {
  readonly company: string
  readonly username: string
  readonly apiKey: string
}

/** Looked up when nothing is known, so that every failure takes the same number of reads. */
const NOBODY = 'no-such-organization'

/**
 * Throws Unauthenticated, with the same bytes and after the same number of reads whatever is wrong;
 * Invalid when the key reaches several organizations of that name, none of them its own.
 */
export async function verifyCredential(
  ctx: PublicContext,
  { company, username, apiKey }: BodyCredential,
) {
  const look = async (id: string | null | undefined) => {
    const found = await currentOrganization(ctx, id ?? NOBODY, ctx.signal)
    return id ? found : undefined
  }
  const key = await currentKey(ctx, hashOf(apiKey), ctx.signal)
  const named = await namedBy(ctx, key, company)
  const own = named.find((id) => id === key?.organization)
  const id = named.includes(company) ? company : (own ?? named[0])
  const [organization, home] = await Promise.all([look(id), look(key?.organization)])
  const [parent, homeParent] = await Promise.all([look(organization?.parent), look(home?.parent)])

  const family = organization && { organization, parent: parent ?? null }
  const member = family && membershipIn(family, username)
  const isGood =
    key !== undefined &&
    key.keyType === 'full' &&
    key.username === username &&
    isActive(key, ctx.clock.now()) &&
    isMembershipCurrent(key, home && { organization: home, parent: homeParent ?? null })
  if (!isGood || !family || !member || !roleOf(key, family)) {
    throw new Unauthenticated('The company, username or apiKey is wrong.')
  }
  if (id !== company && !own && named.length > 1)
    throw new Invalid('company: several organizations have this name; send the id')
  return { key, family, member }
}

/** The organizations with that id or name that the key reaches; nothing else is read. */
async function namedBy(
  ctx: PublicContext,
  key: Key | undefined,
  company: string,
): Promise<string[]> {
  const ways = key ? await accessPathsOf(ctx, key, ctx.signal) : { homes: [] }
  const meant = { name: company, ...(isOrganizationId(company) ? { id: company } : {}) }
  return reachable(ctx, meant, { ways, signal: ctx.signal })
}
