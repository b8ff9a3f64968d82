import { beforeAll, expect, test } from 'vitest'
import { collection } from '../../src/elastic/collection.ts'
import { monthlyKind } from '../../src/elastic/monthly-names.ts'
import { logRun } from '../../src/extensions/log.ts'
import { limits } from '../../src/limits.ts'
import { expectOk, newOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'
import { contextOf } from '../support/tasks.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})

test('logs are cut off at the newest 10,000 runs, and say so', async () => {
  const { call } = await newOrganization(service)
  const page = (text: string) => call(`GET /api/extensions/installed/csv/logs?${text}`)
  expect((await expectOk(page('page=39&pageSize=250'))).body).toEqual({ items: [] })
  const beyond = await page('page=40&pageSize=250')
  expect(beyond.status).toBe(400)
  expect(beyond.body.message).toBe('page: the list has only the newest 10000 runs')
})

test('a page of logs is bounded: long messages are cut, and a page of longer ones is refused', async () => {
  const { id, call } = await newOrganization(service)
  const page = (text: string) => call(`GET /api/extensions/installed/csv/logs?${text}`)
  const began = new Date()
  const run = { extensionId: 'csv', extensionNickname: 'CSV', action: 'run', began }
  const long = 'x'.repeat(64 * 1024)
  await logRun(contextOf(id, service), { ...run, message: long, errorMessage: long })
  const [log] = (await expectOk(page('pageSize=1'))).body.items
  expect([log.message.length, log.errorMessage.length]).toEqual([
    limits.valueLength,
    limits.valueLength,
  ])
  // As earlier versions stored them.
  const runs = collection(service.services.elastic, {
    kind: monthlyKind('runs', began),
    scope: [id],
  })
  const timestamp = began.toISOString()
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const old = { ...log, timestamp, message: 'x'.repeat(limits.answerBytes / 4) }
    await runs.put(name, { id: name, extensionId: 'csv', timestamp, log: old })
  }
  const refused = await page('pageSize=250')
  expect(refused.status).toBe(400)
  expect(refused.body.message).toContain('pageSize')
  expect((await expectOk(page('pageSize=3'))).body.items).toHaveLength(3)
})
