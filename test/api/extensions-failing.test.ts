import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { newCatalog } from '../support/imports.ts'
import { installRemote, startRemote, type TestRemote } from '../support/remote.ts'
import { startService } from '../support/service.ts'

let remote: TestRemote
let call: Call
let id: string
beforeAll(async () => {
  const service = await startService({ outbound: createOutbound({ allow: '127.0.0.1' }) })
  const organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
  remote = await startRemote({
    id: 'oakvale',
    kind: 'recommendation',
    name: 'Oakvale',
    calls: ['run', 'options'],
    fields: [{ field: 'range', optional: true, hasOptions: true }],
  })
  id = await installRemote(call, { manifestUrl: `${remote.url}/manifest.json` })
  remote.answers((response) => response.writeHead(500).end())
})
afterAll(() => remote.close())

const error = 'Oakvale answered with status 500.'

test('a recommender that fails has answered that it failed, and the log has it', async () => {
  const line = `POST /api/extensions/recommendation/${id}/run`
  const body = { additionalFields: { text: 'DS18-040' } }
  const answer = (await expectOk(call(line, { body }))).body
  expect(answer).toEqual({
    error,
    success: false,
    products: [],
    matchedProducts: [],
    possibleProducts: [],
  })
  const { items } = (await expectOk(call(`GET /api/extensions/installed/${id}/logs`))).body
  expect(items).toMatchObject([{ action: 'run', success: false, errorMessage: error }])
})

test('so have options that an installation is asked for', async () => {
  const options = await call('GET /api/extensions/available/oakvale/range/installOptions')
  expect((await expectOk(Promise.resolve(options))).body).toEqual({
    error,
    success: false,
    options: [],
  })
})
