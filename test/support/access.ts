import { caller, expectOk, OPERATOR_KEY, type TestOrganization } from './client.ts'
import type { TestService } from './service.ts'

/** Parts of a call that is made in an organization, or in a sub-organization of it. */
export const inOrganization = (organization: string, suborganization?: string) => ({
  organization,
  ...(suborganization ? { headers: { 'x-suborganization': suborganization } } : {}),
})

/** The answer about an organization that does not exist for the caller. */
export const ORGANIZATION_NOT_FOUND = {
  success: false,
  message: 'Organization not found.',
  id: null,
  taskId: null,
}

/** A full key of a new user who has this role in this organization only. */
export async function keyOfNewUser(
  service: TestService,
  organization: TestOrganization,
  role: string,
  extra: object = {},
) {
  const username = `u-${crypto.randomUUID()}`
  await expectOk(
    organization.call(`PUT /api/organizations/current/users/${username}`, { body: { role } }),
  )
  const operator = caller(service, { key: OPERATOR_KEY })
  const answer = await expectOk(
    operator('POST /api/KeyAuth/keys', {
      organization: organization.id,
      body: { username, ...extra },
    }),
  )
  return { username, key: answer.body.key as string, id: answer.body.id as string }
}
