import type { Elastic } from '../elastic/client.ts'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { PublicContext, Services } from '../operation.ts'
import { untilAborted } from '../platform/deadline.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { createSharedReads, type SharedReads } from '../platform/shared-reads.ts'
import type { Organization } from './organization.ts'
import { currentOrganization, membersUnder } from './store.ts'

/** A limit on users, and the users of others who are counted under it. */
export interface SharedUserLimit {
  /** The organization's own limit, for which this was found. */
  readonly own: number | null
  /** The limit in effect: its own, else its parent's. */
  readonly userLimit: number | null
  readonly isShared: boolean
  /** Distinct users of the other organizations that share it. */
  readonly elsewhere: ReadonlySet<string>
}

type LimitedOrganization = Pick<Organization, 'id' | 'parent' | 'userLimit'>

const readsOf = memoizeWeak<Elastic, SharedReads<SharedUserLimit>>(() => createSharedReads())

/** Reads who shares the limit of an organization. Concurrent callers share a read. */
export function sharedUserLimit(
  ctx: PublicContext,
  organization: LimitedOrganization,
): Promise<SharedUserLimit> {
  const { id, parent, userLimit } = organization
  const read = () => readSharedUserLimit(ctx, organization)
  // The key has all three, since the id of a new organization may be taken by another one.
  const key = JSON.stringify([id, parent, userLimit])
  return untilAborted(ctx.signal, readsOf(ctx.elastic).read(key, read))
}

/** The limit is the organization's own, else its parent's, and counts each user under it once. */
async function readSharedUserLimit(
  services: Services,
  organization: LimitedOrganization,
): Promise<SharedUserLimit> {
  const { id, parent: parentId, userLimit: own } = organization
  const alone = { own, userLimit: own, isShared: false, elsewhere: new Set<string>() }
  if (parentId === null && own === null) return alone
  if (parentId !== null && own !== null) return alone
  const signal = AbortSignal.timeout(limits.requestMs)
  const parent = parentId === null ? null : await currentOrganization(services, parentId, signal)
  if (parentId !== null && (parent?.userLimit ?? null) === null) return alone
  const children = await membersUnder(services, parentId ?? id, signal)
  const others = children.filter((child) => child.userLimit === null && child.id !== id)
  const sharers = parent ? [parent, ...others] : others
  return {
    own,
    userLimit: parent?.userLimit ?? own,
    isShared: sharers.length > 0,
    elsewhere: new Set(sharers.flatMap(({ users }) => users.map(({ username }) => username))),
  }
}

/** Why these new users have no room beside the others; undefined when they have. */
export function joiningProblem(
  users: Organization['users'],
  usernames: readonly string[],
  sharing: SharedUserLimit,
): Invalid | undefined {
  if (users.length + usernames.length > limits.organizationUsers) {
    return new Invalid(`An organization has at most ${limits.organizationUsers} users.`)
  }
  if (sharing.userLimit === null) return undefined
  const names = new Set([...sharing.elsewhere, ...users.map(({ username }) => username)])
  const before = names.size
  for (const username of usernames) names.add(username)
  const tooMany = names.size > before && names.size > sharing.userLimit
  return tooMany ? userLimitReached(sharing, before) : undefined
}

/**
 * The error for `usernames` that exceed a shared limit; undefined if all are counted elsewhere
 * already.
 */
export async function exceededUserLimit(
  ctx: PublicContext,
  organization: Organization,
  usernames: readonly string[],
): Promise<Invalid | undefined> {
  const sharing = await sharedUserLimit(ctx, organization)
  const { userLimit, isShared, elsewhere } = sharing
  if (userLimit === null || !isShared) return undefined
  const names = new Set([...elsewhere, ...organization.users.map(({ username }) => username)])
  if (names.size <= userLimit) return undefined
  const isNobodyNew = usernames.every((username) => elsewhere.has(username))
  return isNobodyNew ? undefined : userLimitReached(sharing, userLimit)
}

function userLimitReached({ userLimit, isShared }: SharedUserLimit, before: number): Invalid {
  const where = isShared ? ' in the organizations that share it' : ''
  return new Invalid(`The user limit is ${userLimit}; current users${where}: ${before}.`)
}
