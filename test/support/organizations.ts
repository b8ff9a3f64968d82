import { type Answer, type Call, caller, expectOk, OPERATOR_KEY } from './client.ts'
import type { TestService } from './service.ts'

export const newId = () => `t-${crypto.randomUUID()}`

export const outcome = ({ status, body }: Answer) => [status, body.message]

/** Get Organization for the caller's own organization. */
export const details = async ({ call }: { readonly call: Call }) =>
  (await expectOk(call('GET /api/organizations/current'))).body

/** Creates an organization without users, in which only the operator acts. */
export async function organizationWithoutUsers(service: TestService, extra: object = {}) {
  const id = newId()
  const operator = caller(service, { key: OPERATOR_KEY })
  await expectOk(operator('POST /api/organizations', { body: { id, name: id, ...extra } }))
  return { id, call: caller(service, { key: OPERATOR_KEY, organization: id }) }
}

const user = (username: string) =>
  `/api/organizations/current/users/${encodeURIComponent(username)}`

export const save = (call: Call, username: string, body: object = {}) =>
  call(`PUT ${user(username)}`, { body })

export const remove = (call: Call, username: string) => call(`DELETE ${user(username)}`)
