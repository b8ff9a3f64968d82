import { Conflict, NotFound } from '../errors.ts'
import type { Context } from '../operation.ts'
import { untilAborted } from '../platform/deadline.ts'
import { createUpToLimit } from '../platform/limited-creation.ts'
import { warnOf } from '../platform/log.ts'
import { newMember } from './edit.ts'
import { notifyUser } from './invitation.ts'
import { type Member, memberOf, type Organization } from './organization.ts'
import type { SaveUserRequest } from './schemas.ts'
import { currentOrganization, readOrganization } from './store.ts'
import {
  exceededUserLimit,
  joiningProblem,
  type SharedUserLimit,
  sharedUserLimit,
} from './user-limit.ts'
import { changeOrganization } from './writer.ts'

interface UserSaved {
  readonly username: string
  readonly body: SaveUserRequest
}

/** Adds or changes a user: an absent field stays, a new user without role is a viewer. */
export async function saveUser(ctx: Context, saved: UserSaved): Promise<void> {
  const { organization, member } = await createUpToLimit({
    signal: ctx.signal,
    create: () => storeUser(ctx, saved),
    // Others may have joined meanwhile where the limit is shared.
    excess: async ({ organization, isNew }) =>
      isNew ? exceededUserLimit(ctx, organization, [saved.username]) : undefined,
    remove: ({ member }) => leave(ctx, member),
  })
  if (saved.body.sendNotification) notifyUser(ctx, organization, member)
}

async function storeUser(ctx: Context, { username, body }: UserSaved) {
  let isNew = false
  const foreseen = await expectedUserLimit(ctx, username)
  const organization = await changeOrganization(ctx, ctx.organization.id, async (organization) => {
    const known = memberOf(organization, username)
    isNew = !known
    if (!known) {
      const stillHolds = foreseen?.own === organization.userLimit
      const sharing = stillHolds ? foreseen : await sharedUserLimit(ctx, organization)
      const full = joiningProblem({ organization, usernames: [username], sharing })
      if (full) throw full
    }
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
  return { organization, member: memberOf(organization, username)!, isNew }
}

/** Read before the change has its turn, since those who come together share it then. */
async function expectedUserLimit(
  ctx: Context,
  username: string,
): Promise<SharedUserLimit | undefined> {
  const seen = await readOrganization(ctx, ctx.organization.id, ctx.signal)
  return seen && !memberOf(seen, username) ? sharedUserLimit(ctx, seen) : undefined
}

const leave = (ctx: Context, { membership }: Member): Promise<Organization> =>
  changeOrganization(ctx, ctx.organization.id, async (now) => ({
    ...now,
    users: now.users.filter((user) => user.membership !== membership),
  }))

/** Of the time of a request. */
const LEAVING_MS = 1_000

/** Throws NotFound for a stranger, Conflict for the last administrator. */
export async function removeUser(ctx: Context, username: string): Promise<void> {
  await changeOrganization(ctx, ctx.organization.id, async (organization) => {
    const known = memberOf(organization, username)
    if (!known) throw new NotFound('User')
    const users = organization.users.filter((user) => user !== known)
    return withAdministrator(ctx, organization, users)
  })
  // The membership has ended: what does not go now goes with the upkeep.
  const soon = AbortSignal.any([ctx.signal, AbortSignal.timeout(LEAVING_MS)])
  await untilAborted(soon, ctx.userLeft(username)).catch((error: unknown) =>
    warnOf(ctx.log, 'take away what a user had', error),
  )
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
