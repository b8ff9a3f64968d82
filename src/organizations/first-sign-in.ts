import { Forbidden, Invalid } from '../errors.ts'
import type { PublicContext } from '../operation.ts'
import { newMember } from './edit.ts'
import {
  type Family,
  type Member,
  type MemberRole,
  memberFor,
  memberOf,
  type Organization,
  type SignedInPerson,
} from './organization.ts'
import { childrenNaming } from './store.ts'
import { storeMember } from './users.ts'

/**
 * The user of a person who signed in and has a role in an organization or its parent, created at
 * the first sign-in with the role of the latest token, which also applies to their keys. Throws
 * Forbidden for a person who cannot become a user.
 */
export async function signedInMember(
  ctx: PublicContext,
  { organization, parent }: Family,
  newcomer: SignedInPerson,
): Promise<Member> {
  const home = newcomer.roles.has(organization.id) ? organization : parent!
  const role = newcomer.roles.get(home.id)!
  const known = memberFor(home, newcomer)
  if (known && isSettled(known, newcomer, role)) return known
  checkMayJoin(known, newcomer)
  const email = known ? undefined : await freeAddress(ctx, home, newcomer)
  const { member } = await storeMember(ctx, home.id, {
    find: (now) => memberFor(now, newcomer),
    next(before, now) {
      if (before && isSettled(before, newcomer, role)) return before
      checkMayJoin(before, newcomer)
      const { identity: hash, since } = newcomer
      const member = before ?? joining({ ...newcomer, email }, now, parent)
      return { ...member, role, identity: { hash, since } }
    },
  }).catch((error: unknown) => {
    if (!(error instanceof Invalid)) throw error
    throw new Forbidden(`You are not a user of this organization yet. ${error.message}`)
  })
  return member
}

function checkMayJoin(known: Member | undefined, { create }: SignedInPerson): void {
  if (known || create) return
  throw new Forbidden(
    'You are not a user of this organization yet. An administrator must add you with your email address, and your identity provider must confirm that it is verified.',
  )
}

/** Whether the user is the person who signed in, with the role of this token or of a newer one. */
const isSettled = (
  { identity, role: before }: Member,
  { identity: hash, since }: SignedInPerson,
  role: MemberRole,
): boolean => identity?.hash === hash && (before === role || since <= identity.since)

/**
 * Their mail address, unless a user of a sub-organization has that name, whose keys would get their
 * role there.
 */
async function freeAddress(
  ctx: PublicContext,
  { id, parent }: Organization,
  { email, identity }: SignedInPerson,
): Promise<string | undefined> {
  if (email === undefined || parent !== null) return email
  const below = await childrenNaming(ctx, id, { username: email, signal: ctx.signal })
  const isTaken = below.some(({ users }) =>
    users.some((user) => user.username === email && user.identity?.hash !== identity),
  )
  return isTaken ? undefined : email
}

/**
 * The new member, with their name in the parent, else the first free one of their mail address and
 * their own name. Throws Forbidden when neither is free.
 */
function joining(
  newcomer: SignedInPerson,
  organization: Organization,
  parent: Organization | null,
) {
  const { identity, email, username, firstName, lastName } = newcomer
  const isTheirs = (user: Member | undefined) => user?.identity?.hash === identity
  const isFree = (name: string | undefined) =>
    name !== undefined &&
    [organization, parent].every((one) => !memberOf(one, name) || isTheirs(memberOf(one, name)))
  const name = [parent?.users.find(isTheirs)?.username, email, username].find(isFree)
  if (name !== undefined) return { ...newMember(name, 'viewer'), firstName, lastName }
  throw new Forbidden(
    `Another user of this organization has the name ${username}. An administrator must remove that user first.`,
  )
}
