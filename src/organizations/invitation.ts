import type { Context } from '../operation.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { isAddress, type Mail } from '../platform/mail.ts'
import { oneLine } from '../platform/one-line.ts'
import type { Member, Organization } from './organization.ts'

/**
 * The mail to a user whom the caller saved, and whose name is their address. It has no secret: keys
 * are handed over separately.
 */
function invitationMail(
  { caller, publicUrl }: Context,
  organization: Organization,
  member: Member,
): Mail {
  const { username, firstName, lastName, role } = member
  const full = [firstName, lastName].filter((part) => part !== null).join(' ')
  const name = shownName(full) ?? username
  const team = shownName(organization.name)
  const by = isAddress(caller.username) ? caller.username : shownName(caller.username)
  return {
    owner: loadOwner(organization),
    to: username,
    subject: `You are a member of ${team ?? organization.id}`,
    text: [
      `Hello ${name},`,
      '',
      `${by ?? 'An administrator'} added you to ${team ? `${team} (${organization.id})` : organization.id} at ${publicUrl} with the role ${role}.`,
      'To get an API key, ask an administrator of the organization.',
      '',
    ].join('\n'),
  }
}

/** What mail programs may show as a link, or as an address; not abbreviations, as in `B.V.` */
const LINK = /\/\/|@|\.\p{N}|\.[\p{L}\p{N}]{2}/u

/**
 * A name on one line, since with line breaks it would be a text of its own in a mail that Aisle
 * sends; undefined if it is empty or has a link.
 */
function shownName(name: string): string | undefined {
  const line = oneLine(name)
  return line === '' || LINK.test(line) ? undefined : line
}

/** Mails a user after the answer. A user whose name is no mail address cannot be notified. */
export function notifyUser(ctx: Context, organization: Organization, member: Member): void {
  const { background, log, notifier } = ctx
  if (!isAddress(member.username)) {
    log.info(
      { organization: organization.id },
      'a user was not notified: the name is not an email address',
    )
    return
  }
  const mail = invitationMail(ctx, organization, member)
  background.run('notify a user', () => notifier.send(mail))
}
