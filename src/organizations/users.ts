import { Conflict, NotFound } from '../errors.ts'
import type { Context, PublicContext } from '../operation.ts'
import { untilAborted } from '../platform/deadline.ts'
import { defined } from '../platform/defined.ts'
import { createUpToLimit } from '../platform/limited-creation.ts'
import { logFailure } from '../platform/log.ts'
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

/** Adds or changes a user: an absent field stays, a new user without role is a viewer. */
export async function saveUser(
  ctx: Context,
  username: string,
  body: SaveUserRequest,
): Promise<void> {
  const { organization, member } = await storeMember(ctx, ctx.organization.id, {
    find: (organization) => memberOf(organization, username),
    next(known) {
      const before = known ?? newMember(username, 'viewer')
      return {
        ...before,
        role: body.role || before.role,
        ...defined({ firstName: body.firstName, lastName: body.lastName }),
      }
    },
    check: (before, users) => keepAdministrator(ctx, before, users),
  })
  if (body.sendNotification) notifyUser(ctx, organization, member)
}

/** A change of one user. */
interface MemberChange {
  find(organization: Organization): Member | undefined
  /** Returns the user after the change. When it throws or returns `before`, nothing is stored. */
  next(before: Member | undefined, organization: Organization): Member
  check?(before: Organization, users: readonly Member[]): Promise<void>
}

interface MemberStored {
  readonly organization: Organization
  readonly member: Member
  readonly isNew: boolean
}

/** Adds or changes a user within the limit on users. Throws NotFound, Invalid. */
export const storeMember = (
  ctx: PublicContext,
  id: string,
  change: MemberChange,
): Promise<MemberStored> =>
  createUpToLimit({
    signal: ctx.signal,
    create: () => changeMember(ctx, id, change),
    // Others may have joined meanwhile, if the limit is shared.
    excess: async ({ organization, member, isNew }) =>
      isNew ? exceededUserLimit(ctx, organization, [member.username]) : undefined,
    remove: ({ member }) => leave(ctx, id, member),
  })

async function changeMember(
  ctx: PublicContext,
  id: string,
  { find, next, check }: MemberChange,
): Promise<MemberStored> {
  let stored: Omit<MemberStored, 'organization'> | undefined
  const foreseen = await expectedUserLimit(ctx, id, find)
  const organization = await changeOrganization(ctx, id, async (organization) => {
    const known = find(organization)
    const member = next(known, organization)
    stored = { member, isNew: !known }
    if (member === known) return organization
    if (!known) {
      const stillHolds = foreseen?.own === organization.userLimit
      const sharing = stillHolds ? foreseen : await sharedUserLimit(ctx, organization)
      const full = joiningProblem(organization.users, [member.username], sharing)
      if (full) throw full
    }
    const users = known
      ? organization.users.map((user) => (user === known ? member : user))
      : [...organization.users, member]
    await check?.(organization, users)
    return { ...organization, users }
  })
  return { organization, ...stored! }
}

/** Read before the change is serialized, so that concurrent changes share the read. */
async function expectedUserLimit(
  ctx: PublicContext,
  id: string,
  find: MemberChange['find'],
): Promise<SharedUserLimit | undefined> {
  const seen = await readOrganization(ctx, id, ctx.signal)
  return seen && !find(seen) ? sharedUserLimit(ctx, seen) : undefined
}

const leave = (ctx: PublicContext, id: string, { membership }: Member): Promise<Organization> =>
  changeOrganization(ctx, id, async (now) => ({
    ...now,
    users: now.users.filter((user) => user.membership !== membership),
  }))

/** Milliseconds of the request's time for removing what a user had. */
const LEAVING_MS = 1_000

/** Removes a user. Throws NotFound for a stranger, Conflict for the last administrator. */
export async function removeUser(ctx: Context, username: string): Promise<void> {
  await changeOrganization(ctx, ctx.organization.id, async (organization) => {
    const known = memberOf(organization, username)
    if (!known) throw new NotFound('User')
    const users = organization.users.filter((user) => user !== known)
    await keepAdministrator(ctx, organization, users)
    return { ...organization, users }
  })
  // The membership has ended. What is not removed now is removed by the upkeep.
  const soon = AbortSignal.any([ctx.signal, AbortSignal.timeout(LEAVING_MS)])
  await untilAborted(soon, ctx.userLeft(username)).catch((error: unknown) =>
    logFailure(ctx.log, 'remove data of a former user', error),
  )
}

const hasAdministrator = (users: readonly Member[] | undefined): boolean =>
  users?.some(({ role }) => role === 'administrator') ?? false

/**
 * Throws Conflict when an organization would lose its last administrator. A parent's administrators
 * count for its children.
 */
async function keepAdministrator(
  ctx: Context,
  before: Organization,
  users: readonly Member[],
): Promise<void> {
  if (!hasAdministrator(before.users) || hasAdministrator(users)) return
  const parent =
    before.parent === null ? undefined : await currentOrganization(ctx, before.parent, ctx.signal)
  if (hasAdministrator(parent?.users)) return
  throw new Conflict(
    'The last administrator cannot be removed or demoted. Make another user an administrator first.',
  )
}
