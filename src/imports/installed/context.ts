import type { Installation } from '../../extensions/installation.ts'
import { limits } from '../../limits.ts'
import type { Context, Role, Services } from '../../operation.ts'
import { effectiveOrganization, type Family, roleIn } from '../../organizations/organization.ts'

/** A user's own import runs as long as the user may import; an organization's own always does. */
export function contextOf(services: Services, family: Family, installation: Installation): Context {
  const { level, username } = installation
  const role: Role = level === 'user' ? (roleIn(family, username) ?? 'viewer') : 'editor'
  return {
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
  }
}
