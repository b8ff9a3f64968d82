import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { CallerContext } from '../operation.ts'
import type { Organization } from './organization.ts'
import { childrenOf, currentOrganization } from './store.ts'

/** Throws Invalid when the organization has no room for `usernames`, who are new to it. */
export async function checkRoom(
  ctx: CallerContext,
  organization: Organization,
  usernames: readonly string[],
): Promise<void> {
  if (organization.users.length + usernames.length > limits.organizationUsers) {
    throw new Invalid(`An organization has at most ${limits.organizationUsers} users.`)
  }
  const shared = await sharersOf(ctx, organization)
  if (shared.userLimit === null) return
  const names = namesIn(shared.among)
  const before = names.size
  for (const username of usernames) names.add(username)
  if (names.size > before && names.size > shared.userLimit) throw fullOf(shared, before)
}

/**
 * What to throw when those who share a limit are too many now that `usernames` joined one of them;
 * undefined also when these were there before, in another one.
 */
export async function overfull(
  ctx: CallerContext,
  organization: Organization,
  usernames: readonly string[],
): Promise<Invalid | undefined> {
  const shared = await sharersOf(ctx, organization)
  if (shared.userLimit === null || shared.among.length === 1) return undefined
  const { size } = namesIn(shared.among)
  if (size <= shared.userLimit) return undefined
  const elsewhere = namesIn(shared.among.filter(({ id }) => id !== organization.id))
  const isNobodyNew = usernames.every((username) => elsewhere.has(username))
  return isNobodyNew ? undefined : fullOf(shared, shared.userLimit)
}

interface Shared {
  readonly userLimit: number | null
  readonly among: readonly Organization[]
}

const namesIn = (organizations: readonly Organization[]): Set<string> =>
  new Set(organizations.flatMap(({ users }) => users.map(({ username }) => username)))

function fullOf({ userLimit, among }: Shared, before: number): Invalid {
  const where = among.length > 1 ? ' in the organizations that share it' : ''
  return new Invalid(`The user limit is ${userLimit}; users${where} until now: ${before}.`)
}

/** A limit is the organization's own, else its parent's, and counts those who live under it once. */
async function sharersOf(ctx: CallerContext, organization: Organization): Promise<Shared> {
  const { userLimit, parent: parentId } = organization
  if (parentId === null || userLimit !== null) {
    const children =
      userLimit === null || parentId !== null ? [] : await childrenOf(ctx, organization.id)
    return { userLimit, among: [organization, ...withoutOwnLimit(children)] }
  }
  const parent = await currentOrganization(ctx, parentId, ctx.signal)
  if (!parent || parent.userLimit === null) return { userLimit: null, among: [] }
  const siblings = withoutOwnLimit(await childrenOf(ctx, parentId))
  const others = siblings.filter(({ id }) => id !== organization.id)
  return { userLimit: parent.userLimit, among: [parent, organization, ...others] }
}

const withoutOwnLimit = (organizations: readonly Organization[]) =>
  organizations.filter(({ userLimit }) => userLimit === null)
