import { Conflict, Invalid, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { CallerContext, Context } from '../operation.ts'
import { newMember } from './changes.ts'
import { notifyUser } from './invitation.ts'
import { type Member, memberOf, type Organization } from './organization.ts'
import type { SaveUserRequest } from './schemas.ts'
import { childrenOf, currentOrganization } from './store.ts'
import { changeOrganization } from './writer.ts'

/**
 * Adds a user or changes one: an absent field stays, a new user without role is a viewer. They are
 * told by mail where `sendNotification` says so.
 */
export async function saveUser(
  ctx: Context,
  { username, body }: { username: string; body: SaveUserRequest },
): Promise<void> {
  const organization = await changed(ctx, async (organization) => {
    const known = memberOf(organization, username)
    if (!known) await checkRoom(ctx, organization, [username])
    const before = known ?? newMember(username, 'viewer')
    const member: Member = {
      ...before,
      role: body.role || before.role,
      firstName: body.firstName === undefined ? before.firstName : body.firstName,
      lastName: body.lastName === undefined ? before.lastName : body.lastName,
    }
    const users = known
      ? organization.users.map((user) => (user === known ? member : user))
      : [...organization.users, member]
    return withAdministrator(ctx, organization, users)
  })
  const member = memberOf(organization, username)
  if (body.sendNotification && member) notifyUser(ctx, organization, member)
}

/** Throws NotFound for a stranger, Conflict for the last administrator. */
export async function removeUser(ctx: Context, username: string): Promise<void> {
  await changed(ctx, async (organization) => {
    const known = memberOf(organization, username)
    if (!known) throw new NotFound('User')
    const users = organization.users.filter((user) => user !== known)
    return withAdministrator(ctx, organization, users)
  })
}

async function changed(
  ctx: Context,
  change: (organization: Organization) => Promise<Organization>,
): Promise<Organization> {
  const organization = await changeOrganization(ctx, ctx.organization.id, change)
  if (!organization) throw new NotFound('Organization')
  return organization
}

const hasAdministrator = (organization: Organization | undefined): boolean =>
  organization?.users.some(({ role }) => role === 'administrator') ?? false

/** An organization that had an administrator keeps one; a parent's counts for its children. */
async function withAdministrator(
  ctx: Context,
  before: Organization,
  users: readonly Member[],
): Promise<Organization> {
  const after = { ...before, users }
  if (!hasAdministrator(before) || hasAdministrator(after)) return after
  const parent =
    before.parent === null ? undefined : await currentOrganization(ctx, before.parent, ctx.signal)
  if (hasAdministrator(parent)) return after
  throw new Conflict('The last administrator stays: make another user an administrator first.')
}

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
  const names = new Set(shared.among.flatMap(({ users }) => users.map((user) => user.username)))
  const before = names.size
  for (const username of usernames) names.add(username)
  if (names.size > before && names.size > shared.userLimit) {
    const where = shared.among.length > 1 ? ' in the organizations that share it' : ''
    throw new Invalid(`The user limit is ${shared.userLimit}; users${where} until now: ${before}.`)
  }
}

/** A limit is the organization's own, else its parent's, and counts those who live under it once. */
async function sharersOf(ctx: CallerContext, organization: Organization) {
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
