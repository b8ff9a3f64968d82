import { memberOf, type Organization } from './organization.ts'

interface UserPath {
  readonly uname: string
}

/** What the audit log tells of a user; names of people are their own. */
export const AUDITED_USER = {
  target: 'user',
  id: ({ uname }: UserPath) => uname,
  part: (organization: Organization, { uname }: UserPath) => {
    const member = memberOf(organization, uname)
    return member && { ...member, membership: undefined, identity: undefined }
  },
  values: ['username', 'role'],
} as const
