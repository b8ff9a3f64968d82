import { limits } from '../limits.ts'
import type { Caller, Context, Services } from '../operation.ts'
import { effectiveOrganization, type Family } from './organization.ts'

/** The context of work that begins in an organization without a request, as by a schedule. */
export const backgroundContext = (
  services: Services,
  family: Family,
  { username, role }: Pick<Caller, 'username' | 'role'>,
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
