import { memberOf, type Organization } from './organization.ts'

interface UserPath {
  readonly uname: string
}

/** How the audit log records a user, without the values of personal names. */
export const AUDITED_USER = {
  target: 'user',
  id: ({ uname }: UserPath) => uname,
  part: (organization: Organization, { uname }: UserPath) => {
    const member = memberOf(organization, uname)
    return member && { ...member, membership: undefined, identity: undefined }
  },
  values: ['username', 'role'],
} as const
