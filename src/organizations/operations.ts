import { NotFound } from '../errors.ts'
import { operation, route } from '../operation.ts'
import { ActionResponse, done } from '../shapes.ts'
import { updated } from './changes.ts'
import { addOrganization } from './create.ts'
import { checkDefaultCatalog } from './default-catalog.ts'
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

const creating = route('POST', '/api/organizations', {
  body: NewOrganization,
  answer: ActionResponse,
})
export const createOrganization = operation({
  name: 'Create Organization',
  summary: 'Makes an organization, with a parent and with users where they are given.',
  access: 'operatorOnly',
  fails: ['conflict'],
  bindings: { '1.0': creating, '6.0': creating },
  handle: async ({ body }, ctx) =>
    done('Organization created.', { id: await addOrganization(ctx, body) }),
})

const updating = route('PUT', '/api/organizations/current', {
  body: OrganizationUpdate,
  answer: ActionResponse,
})
export const updateOrganization = operation({
  name: 'Update Organization',
  summary:
    'Changes the organization in effect: absent stays, null clears, lists replace; limits and credits by an operator only.',
  access: 'administrator',
  bindings: { '1.0': updating, '6.0': updating },
  handle: async ({ body }, ctx) => {
    const { id } = ctx.organization
    const withLimits = ctx.caller.role === 'operator'
    const found = await changeOrganization(ctx, id, async (organization) => {
      await checkDefaultCatalog(ctx, organization, body.defaultCatalog)
      return updated(organization, body, { withLimits })
    })
    if (!found) throw new NotFound('Organization')
    return done('Organization updated.', { id })
  },
})

const listing = route('GET', '/api/organizations', {
  query: OrganizationPaging,
  answer: OrganizationsAnswer,
})
export const getOrganizations = operation({
  name: 'Get Organizations',
  summary: 'Lists the organizations that the key reaches, in order of id, up to 250 a page.',
  access: 'caller',
  bindings: { '1.0': listing, '6.0': listing },
  handle: (paging, ctx) => organizationPage(ctx, paging),
})

const reading = route('GET', '/api/organizations/current', { answer: OrganizationAnswer })
export const getOrganizationDetails = operation({
  name: 'Get Organization Details',
  summary: 'Answers the organization in effect with its own catalogs and its users.',
  access: 'viewer',
  bindings: { '1.0': reading, '6.0': reading },
  handle: (_input: object, ctx) => presentOrganization(ctx),
})

const saving = route('PUT', '/api/organizations/current/users/:uname', {
  param: UserKey,
  body: SaveUserRequest,
  answer: ActionResponse,
})
export const saveUserToOrganization = operation({
  name: 'Save User to Organization',
  summary:
    'Adds a user or changes role and name: absent stays, a new user without a role is a viewer; told by mail on request.',
  access: 'administrator',
  fails: ['conflict'],
  bindings: { '1.0': saving, '6.0': saving },
  handle: async ({ uname, body }, ctx) => {
    await saveUser(ctx, { username: uname, body })
    return done('User saved.', { id: uname })
  },
})

const removing = route('DELETE', '/api/organizations/current/users/:uname', {
  param: UserKey,
  answer: ActionResponse,
})
export const removeUserFromOrganization = operation({
  name: 'Remove User from Organization',
  summary:
    'Ends a membership, its keys and what the user installed alone; the last administrator stays.',
  access: 'administrator',
  fails: ['conflict'],
  bindings: { '1.0': removing, '6.0': removing },
  handle: async ({ uname }, ctx) => {
    await removeUser(ctx, uname)
    return done('User removed.', { id: uname })
  },
})

export const organizationOperations = [
  createOrganization,
  updateOrganization,
  getOrganizations,
  getOrganizationDetails,
  saveUserToOrganization,
  removeUserFromOrganization,
]
