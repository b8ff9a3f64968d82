import { expect, test } from 'vitest'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { startService } from '../support/service.ts'

test('what a user of the parent installed personally is not there for that name in a child', async () => {
  const service = await startService()
  const parent = await newOrganization(service)
  // Its administrator has the same name, as anybody may have in an organization of one's own.
  const child = await newOrganization(service, parent.id)
  const body = { extensionLevel: 'user', additionalData: { fileUrl: 'https://a.example/p.csv' } }
  const line = 'POST /api/extensions/available/file/install'
  const { id } = (await expectOk(parent.call(line, { body }))).body
  const seen = async (call: Call) =>
    JSON.stringify((await expectOk(call('GET /api/extensions/installed'))).body)
  expect(await seen(parent.call)).toContain(id)
  expect(await seen(child.call)).not.toContain(id)
  expect((await child.call(`GET /api/extensions/installed/${id}/logs`)).status).toBe(404)
})
