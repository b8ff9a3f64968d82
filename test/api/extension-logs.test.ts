import { expect, test } from 'vitest'
import { expectOk, newOrganization } from '../support/client.ts'
import { startService } from '../support/service.ts'

test('logs are cut off at the newest 10,000 runs, and say so', async () => {
  const { call } = await newOrganization(await startService())
  const page = (text: string) => call(`GET /api/extensions/installed/csv/logs?${text}`)
  expect((await expectOk(page('page=39&pageSize=250'))).body).toEqual({ items: [] })
  const beyond = await page('page=40&pageSize=250')
  expect(beyond.status).toBe(400)
  expect(beyond.body.message).toBe('page: the list has only the newest 10000 runs')
})
