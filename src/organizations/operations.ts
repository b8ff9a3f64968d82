import { bothRevisions, operation } from '../operation.ts'
import { ActionResponse, done } from '../shapes.ts'
import { AUDITED_USER } from './audited-user.ts'
import { addOrganization, checkDefaultCatalog } from './create.ts'
import { updated } from './edit.ts'
import type { Organization } from './organization.ts'
import { organizationPage, presentOrganization } from './reading.ts'
import {
  NewOrganization,
  OrganizationAnswer,
  OrganizationPaging,
  OrganizationsAnswer,
  OrganizationUpdate,
  SaveUserRequest,
  UserKey,
} from './schemas.ts'
import { removeUser, saveUser } from './users.ts'
import { changeOrganization } from './writer.ts'

type OrganizationPage = Awaited<ReturnType<typeof organizationPage>>

/**
 * Settings whose values the audit log records. Those of configurations are not, as they may hold
 * anything.
 */
const TOLD = [
  ...['name', 'defaultCatalog', 'userLimit', 'catalogLimit', 'licensedUserCount'],
  ...['searchCredits', 'additionalCreditBundle', 'additionalCreditCost'],
]

export const organizationOperations = [
  operation({
    name: 'Create Organization',
    summary: 'Creates an organization, optionally with a parent and users.',
    access: 'operatorOnly',
    audit: {
      target: 'organization',
      part: ({ users, created, ...organization }: Organization) => ({
        ...organization,
        users: users.map(({ username, role }) => ({ username, role })),
      }),
      name: ({ name }: Partial<Organization>) => name ?? null,
      values: [...TOLD, 'parent', 'users'],
    },
    fails: ['conflict'],
    bindings: bothRevisions('POST', '/api/organizations', {
      body: NewOrganization,
      answer: ActionResponse,
    }),
    handle: async ({ body }, ctx) =>
      done('Organization created.', { id: await addOrganization(ctx, body) }),
  }),
  operation({
    name: 'Update Organization',
    summary:
      'Updates the current organization. Omitted fields are left unchanged, `null` clears a field, and lists are replaced. Only operators can change limits and credits.',
    access: 'administrator',
    audit: {
      target: 'organization',
      part: ({ users, ...organization }: Organization) => organization,
      name: ({ name }: Partial<Organization>) => name ?? null,
      values: TOLD,
    },
    bindings: bothRevisions('PUT', '/api/organizations/current', {
      body: OrganizationUpdate,
      answer: ActionResponse,
    }),
    handle: async ({ body }, ctx) => {
      const { id } = ctx.organization
      const withLimits = ctx.caller.role === 'operator'
      await changeOrganization(ctx, id, async (organization) => {
        await checkDefaultCatalog(ctx, organization, body.defaultCatalog)
        return updated(organization, body, { withLimits })
      })
      return done('Organization updated.', { id })
    },
  }),
  operation({
    name: 'Get Organizations',
    summary:
      'Lists the organizations that the key has access to, sorted by id, up to 250 per page.',
    cost: 4,
    access: 'caller',
    audit: {
      target: 'user',
      owners: ({ organizations }: OrganizationPage) => organizations.map(({ id }) => id),
    },
    bindings: bothRevisions('GET', '/api/organizations', {
      query: OrganizationPaging,
      answer: OrganizationsAnswer,
    }),
    handle: (paging, ctx) => organizationPage(ctx, paging),
  }),
  operation({
    name: 'Get Organization Details',
    summary: 'Returns the current organization with its own catalogs and users.',
    cost: 8,
    access: 'viewer',
    audit: { target: 'user' },
    bindings: bothRevisions('GET', '/api/organizations/current', { answer: OrganizationAnswer }),
    handle: (_input, ctx) => presentOrganization(ctx),
  }),
  operation({
    name: 'Save User to Organization',
    summary:
      "Adds a user or changes a user's role and name. Omitted fields are left unchanged, new users are viewers by default, and the user is notified by email on request.",
    access: 'administrator',
    fails: ['conflict'],
    audit: AUDITED_USER,
    bindings: bothRevisions('PUT', '/api/organizations/current/users/:uname', {
      param: UserKey,
      body: SaveUserRequest,
      answer: ActionResponse,
    }),
    handle: async ({ uname, body }, ctx) => {
      await saveUser(ctx, uname, body)
      return done('User saved.', { id: uname })
    },
  }),
  operation({
    name: 'Remove User from Organization',
    summary:
      'Removes a user from the organization, together with their keys and the extensions they installed for themselves. The last administrator cannot be removed.',
    access: 'administrator',
    fails: ['conflict'],
    audit: AUDITED_USER,
    bindings: bothRevisions('DELETE', '/api/organizations/current/users/:uname', {
      param: UserKey,
      answer: ActionResponse,
    }),
    handle: async ({ uname }, ctx) => {
      await removeUser(ctx, uname)
      return done('User removed.', { id: uname })
    },
  }),
]
