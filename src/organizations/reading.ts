import { catalogsByOwner } from '../catalogs/store.ts'
import { NotFound } from '../errors.ts'
import type { CallerContext, Context } from '../operation.ts'
import type { Organization } from './organization.ts'
import type { OrganizationAnswer } from './schemas.ts'
import { currentOrganization, listOrganizations, membershipsOf } from './store.ts'

/** The organization in effect as it is now, with the caller's role in it. */
export async function presentOrganization(ctx: Context): Promise<OrganizationAnswer> {
  const { id } = ctx.organization
  const [organization, catalogs] = await Promise.all([
    currentOrganization(ctx, id, ctx.signal),
    catalogsByOwner(ctx, [id], ctx.signal),
  ])
  if (!organization) throw new NotFound('Organization')
  return { ...toOrganizationAnswer(organization, catalogs.get(id)!), role: ctx.caller.role }
}

/**
 * One page of the organizations that the caller's key reaches, whatever organization the request
 * names.
 */
export async function organizationPage(
  ctx: CallerContext,
  paging: { page: number; pageSize: number },
): Promise<{ organizations: OrganizationAnswer[]; total: number }> {
  const { organizations, total } = await listOrganizations(ctx, await reachOf(ctx), paging)
  const owners = organizations.map(({ id }) => id)
  const catalogs = await catalogsByOwner(ctx, owners, ctx.signal)
  return {
    organizations: organizations.map((one) =>
      toOrganizationAnswer(one, catalogs.get(one.id) ?? []),
    ),
    total,
  }
}

/** Ids of the organizations that are reached, along with their children; null: all. */
async function reachOf({ caller, ...ctx }: CallerContext): Promise<readonly string[] | null> {
  if (caller.role === 'operator') return null
  if (caller.identity) return caller.identity.organizations
  if (caller.boundTo !== null) return [caller.boundTo]
  return membershipsOf(ctx, caller.username, ctx.signal)
}

/** An organization as the interface shows it, without the values of protected configurations. */
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
  configurations: organization.configurations.map((one) => ({
    ...one,
    defaultValue: one.protected ? null : one.defaultValue,
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
