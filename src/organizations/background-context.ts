import { limits } from '../limits.ts'
import type { Context, Role, Services } from '../operation.ts'
import { effectiveOrganization, type Family } from './organization.ts'

/** The user for whom work begins in an organization without a request, as by a schedule. */
interface BackgroundCaller {
  readonly username: string
  readonly role: Role
}

/** The context of work that begins in an organization without a request. */
export const backgroundContext = (
  services: Services,
  family: Family,
  { username, role }: BackgroundCaller,
): Context => ({
  ...services,
  requestId: crypto.randomUUID(),
  signal: AbortSignal.timeout(limits.requestMs),
  caller: {
    username,
    role,
    parentRole: null,
    keyId: 'schedule',
    keyType: 'full',
    origins: null,
    boundTo: family.organization.id,
  },
  organization: effectiveOrganization(family),
})
