import { fold, withoutEnds } from '../text.ts'
import type { Configuration, Member, MemberRole, Organization } from './organization.ts'
import type { NewOrganization, OrganizationUpdate } from './schemas.ts'

/** An id from a name: `Müller & Söhne` becomes `muller-sohne`; empty when nothing is left. */
export const idFromName = (name: string): string =>
  withoutEnds(
    fold(name)
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 48),
    '-',
  )

/** A member with a new membership, so that keys of an earlier one stay invalid. */
export function newMember(username: string, role: MemberRole): Member {
  const membership = crypto.randomUUID()
  return { username, role, firstName: null, lastName: null, membership }
}

/** The organization that a request describes, with its limits. */
export function newOrganization(body: NewOrganization, id: string, now: Date): Organization {
  const bare: Organization = {
    id,
    name: body.name,
    parent: body.parent || null,
    defaultCatalog: null,
    logo: null,
    configurations: [],
    users: (body.users ?? []).map((user) => ({
      ...newMember(user.username, user.role),
      firstName: user.firstName ?? null,
      lastName: user.lastName ?? null,
    })),
    userLimit: null,
    catalogLimit: null,
    licensedUserCount: 0,
    searchCredits: null,
    additionalCreditBundle: 0,
    additionalCreditCost: 0,
    created: now.toISOString(),
  }
  return updated(bare, body, { withLimits: true })
}

const kept = <T>(wanted: T | undefined, before: T): T => (wanted === undefined ? before : wanted)

/**
 * The organization after an update: absent fields stay, null clears, lists are replaced. Limits
 * change only if the caller may set them.
 */
export function updated(
  before: Organization,
  body: OrganizationUpdate,
  { withLimits }: { withLimits: boolean },
): Organization {
  return {
    ...before,
    name: body.name ?? before.name,
    defaultCatalog: kept(body.defaultCatalog, before.defaultCatalog),
    logo: kept(body.logo, before.logo),
    configurations:
      body.configurations === undefined
        ? before.configurations
        : (body.configurations ?? []).map(configurationOf),
    ...(withLimits ? limitsOf(before, body) : {}),
  }
}

const limitsOf = (before: Organization, body: OrganizationUpdate) => ({
  userLimit: kept(body.userLimit, before.userLimit),
  catalogLimit: kept(body.catalogLimit, before.catalogLimit),
  searchCredits: kept(body.searchCredits, before.searchCredits),
  licensedUserCount: kept(body.licensedUserCount, before.licensedUserCount) ?? 0,
  additionalCreditBundle: kept(body.additionalCreditBundle, before.additionalCreditBundle) ?? 0,
  additionalCreditCost: kept(body.additionalCreditCost, before.additionalCreditCost) ?? 0,
})

type ConfigurationBody = NonNullable<OrganizationUpdate['configurations']>[number]

const configurationOf = (body: ConfigurationBody): Configuration => ({
  name: body.name,
  description: body.description ?? null,
  defaultValue: body.defaultValue ?? null,
  protected: body.protected ?? false,
  dataType: body.dataType ?? null,
})
