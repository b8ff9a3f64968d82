import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { json, startRemote, type TestRemote } from '../support/remote.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let remote: TestRemote
let call: Call

const PASSWORD = 'correct-horse'
const TOKEN = 'battery-staple'
const fields = [
  { field: 'password', protected: true },
  { field: 'token', protected: true, sharedKey: 'oakvale' },
  { field: 'region', optional: true },
]

/** Registers an extension of any manifest; answers its id. */
async function register(more: object): Promise<string> {
  const id = `oakvale-${crypto.randomUUID()}`
  const manifest = { id, kind: 'realtime', name: 'Oakvale', calls: ['run'], ...more }
  const body = { manifestUrl: `${remote.url}/of?${encodeURIComponent(JSON.stringify(manifest))}` }
  return (await expectOk(call('POST /api/extensions/available', { body }))).body.id
}

const given = (id: string, action: string, additionalData: object) =>
  call(`POST /api/extensions/available/${id}/${action}`, { body: { additionalData } })
const install = async (id: string, additionalData: object) =>
  (await expectOk(given(id, 'install', additionalData))).body.id
const answer = (body: unknown) => remote.answers((response) => json(response, body))

beforeAll(async () => {
  service = await startService({ outbound: createOutbound({ allow: '127.0.0.1' }) })
  remote = await startRemote({})
})
afterAll(() => remote.close())

/** Another organization for each test: shared values stay. */
async function begin() {
  call = (await newOrganization(service)).call
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
  await expectOk(
    call('POST /api/Catalog/c/products', {
      body: { id: 'p', name: 'p', manufacturerPartNumber: 'M-1' },
    }),
  )
  remote.answers((response, { path }) => {
    json(response, JSON.parse(decodeURIComponent(path.split('?')[1]!)))
  })
}

describe('what an extension repeats of protected values', () => {
  test('is neither answered, nor logged, nor stored', async () => {
    await begin()
    const id = await install(await register({ fields }), { password: PASSWORD, token: TOKEN })
    const run = () =>
      call(`POST /api/extensions/realtime/${id}/run`, {
        body: { products: [{ id: 'p', catalog: 'c' }] },
      })
    answer({ error: `login with ${PASSWORD} (${TOKEN}) failed` })
    const failed = (await expectOk(run())).body
    expect(failed.error).toBe('login with [protected] ([protected]) failed')
    answer({ items: [{ manufacturerPartNumber: 'M-1', cost: 5, description: `by ${PASSWORD}` }] })
    const answered = (await expectOk(run())).body
    expect(answered.items[0]).toMatchObject({ cost: 5, description: 'by [protected]' })
    answer({ items: [{ [PASSWORD]: '\u0000' }] })
    const logs = (await expectOk(call(`GET /api/extensions/installed/${id}/logs`))).body
    const product = (await expectOk(call('GET /api/Catalog/c/products/p'))).body
    const everything = JSON.stringify([failed, answered, (await run()).body, logs, product])
    expect(everything).toContain('[protected]')
    expect(everything).not.toMatch(/correct-horse|battery-staple/)
  })

  test('is not in what it says of values that are tried', async () => {
    await begin()
    const calls = ['run', 'validate']
    const id = await register({ fields, calls })
    answer({ problems: [{ field: 'password', message: `${PASSWORD} is refused` }] })
    const { body } = await expectOk(given(id, 'validate', { password: PASSWORD, token: TOKEN }))
    expect(body.problems).toEqual([{ field: 'password', message: '[protected] is refused' }])
  })
})

describe('what extensions share', () => {
  test('is forgotten with the last one that has it', async () => {
    await begin()
    const shared = await register({ fields: [{ field: 'token', sharedKey: 'oakvale' }] })
    const [first, second] = [await install(shared, { token: TOKEN }), await install(shared, {})]
    const remove = (id: string) => expectOk(call(`DELETE /api/extensions/installed/${id}`))
    await remove(first)
    const [kept] = (await expectOk(call('GET /api/extensions/installed'))).body.filter(
      (one: { id: string }) => one.id === second,
    )
    expect(kept.sharedData[0]).toMatchObject({ field: 'token', defaultValue: TOKEN })
    await remove(second)
    const refused = await given(shared, 'install', {})
    expect([refused.status, refused.body.message]).toEqual([400, 'additionalData.token: required'])
  })
})

describe('values that are tried', () => {
  test('need not repeat what other extensions share already', async () => {
    await begin()
    await install(await register({ fields }), { password: PASSWORD, token: TOKEN })
    const id = await register({ fields, calls: ['run', 'validate'] })
    answer({ problems: [] })
    const { body } = await expectOk(given(id, 'validate', { password: PASSWORD }))
    expect(body).toMatchObject({ success: true, problems: [] })
    const { installation } = JSON.parse(remote.received.at(-1)!.body)
    expect(installation.fields).toEqual({ password: PASSWORD, token: TOKEN })
    const cleared = (await given(id, 'validate', { password: PASSWORD, token: null })).body
    expect(cleared.problems).toEqual([{ field: 'additionalData.token', message: 'required' }])
  })

  test('are refused when the extension says that it failed', async () => {
    await begin()
    const id = await register({ calls: ['run', 'validate'] })
    answer({ error: 'Our directory is down.' })
    const { body } = await expectOk(given(id, 'validate', {}))
    expect(body).toMatchObject({ success: false, error: 'Oakvale failed: Our directory is down.' })
  })

  test('are required also of fields that are named as what every object has', async () => {
    await begin()
    const id = await register({ fields: [{ field: 'constructor' }] })
    expect((await given(id, 'install', {})).body.message).toBe(
      'additionalData.constructor: required',
    )
    const installed = await install(id, { constructor: 'Ada' })
    const list = (await expectOk(call('GET /api/extensions/installed'))).body
    const shown = list.find((one: { id: string }) => one.id === installed)
    expect(shown.additionalData[0]).toMatchObject({ field: 'constructor', defaultValue: 'Ada' })
  })
})
