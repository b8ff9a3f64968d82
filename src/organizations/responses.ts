import type { Organization } from './organization.ts'
import type { OrganizationAnswer } from './schemas.ts'

/** An organization as the interface shows it; the value of a protected configuration never leaves. */
export const toOrganizationAnswer = (
  organization: Organization,
  catalogs: OrganizationAnswer['catalogs'],
): OrganizationAnswer => ({
  id: organization.id,
  name: organization.name,
  parent: organization.parent,
  defaultCatalog: organization.defaultCatalog,
  logo: organization.logo,
  catalogs,
  configurations: organization.configurations.map((configuration) => ({
    name: configuration.name,
    description: configuration.description,
    defaultValue: configuration.protected ? null : configuration.defaultValue,
    protected: configuration.protected,
    dataType: configuration.dataType,
  })),
  users: organization.users.map(({ username, role, firstName, lastName }) => ({
    username,
    role,
    firstName,
    lastName,
  })),
  userLimit: organization.userLimit,
  catalogLimit: organization.catalogLimit,
  licensedUserCount: organization.licensedUserCount,
  searchCredits: organization.searchCredits,
  additionalCreditBundle: organization.additionalCreditBundle,
  additionalCreditCost: organization.additionalCreditCost,
})
