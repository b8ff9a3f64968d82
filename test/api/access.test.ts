import { beforeAll, expect, test } from 'vitest'
import { newOrganization, type TestOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
})

test('an organization with members has keys', async () => {
  const { status, body } = await organization.call('GET /api/KeyAuth/keys')
  expect([status, body]).toMatchObject([200, { keys: [{ username: 'administrator' }] }])
})
