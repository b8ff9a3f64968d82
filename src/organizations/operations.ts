import { operation, route } from '../operation.ts'
import { ActionResponse, done } from '../shapes.ts'
import { addOrganization } from './create.ts'
import { NewOrganization } from './schemas.ts'

const creating = route('POST', '/api/organizations', {
  body: NewOrganization,
  answer: ActionResponse,
})
export const createOrganization = operation({
  name: 'Create Organization',
  summary: 'Makes an organization, with a parent and with users where they are given.',
  access: 'operatorOnly',
  bindings: { '1.0': creating, '6.0': creating },
  handle: async ({ body }, ctx) =>
    done('Organization created.', { id: await addOrganization(ctx, body) }),
})

export const organizationOperations = [createOrganization]
