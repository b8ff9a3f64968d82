import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { json, startRemote, type TestRemote } from '../support/remote.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let remote: TestRemote
let organization: TestOrganization
let call: Call

const PASSWORD = 'correct-horse'
const TOKEN = 'battery-staple'
const fields = [
  { field: 'password', protected: true },
  { field: 'token', protected: true, sharedKey: 'oakvale' },
  { field: 'region', optional: true },
]

/** Registers an extension with any manifest; returns its id. */
async function register(more: object): Promise<string> {
  const id = `oakvale-${crypto.randomUUID()}`
  const manifest = { id, kind: 'realtime', name: 'Oakvale', calls: ['run'], ...more }
  const body = { manifestUrl: `${remote.url}/of?${encodeURIComponent(JSON.stringify(manifest))}` }
  return (await expectOk(call('POST /api/extensions/available', { body }))).body.id
}

const given = (id: string, action: string, additionalData: object, by: Call = call) =>
  by(`POST /api/extensions/available/${id}/${action}`, { body: { additionalData } })
const install = async (id: string, additionalData: object) =>
  (await expectOk(given(id, 'install', additionalData))).body.id
const remove = (id: string) => call(`DELETE /api/extensions/installed/${id}`)
const update = (id: string, body: object) => call(`PUT /api/extensions/installed/${id}`, { body })
/** The installations of an extension in the list. */
const installed = async (extension: string) =>
  (await expectOk(call('GET /api/extensions/installed'))).body.filter(
    (one: { extension: string }) => one.extension === extension,
  )
const answer = (body: unknown) => remote.answers((response) => json(response, body))

beforeAll(async () => {
  service = await startService({ outbound: createOutbound({ allow: '127.0.0.1' }) })
  remote = await startRemote({})
})
afterAll(() => remote.close())

/** Uses a new organization for each test, since shared values persist. */
async function begin() {
  organization = await newOrganization(service)
  call = organization.call
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

describe('protected values that an extension repeats', () => {
  test('are neither returned, logged nor stored', async () => {
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

  test('are removed from its answers to validation', async () => {
    await begin()
    const calls = ['run', 'validate']
    const id = await register({ fields, calls })
    answer({ problems: [{ field: 'password', message: `${PASSWORD} is refused` }] })
    const { body } = await expectOk(given(id, 'validate', { password: PASSWORD, token: TOKEN }))
    expect(body.problems).toEqual([{ field: 'password', message: '[protected] is refused' }])
  })
})

describe('a value that extensions share', () => {
  test('is deleted with the last extension that has it', async () => {
    await begin()
    const shared = await register({ fields: [{ field: 'token', sharedKey: 'oakvale' }] })
    const [first, second] = [await install(shared, { token: TOKEN }), await install(shared, {})]
    await expectOk(remove(first))
    const [kept] = await installed(shared)
    expect(kept.id).toBe(second)
    expect(kept.sharedData[0]).toMatchObject({ field: 'token', defaultValue: TOKEN })
    await expectOk(remove(second))
    const refused = await given(shared, 'install', {})
    expect([refused.status, refused.body.message]).toEqual([400, 'additionalData.token: required'])
  })
  // The installation's document is created; the shared value's exists and is replaced.
  test.each([
    ['it', /_doc\/\S+op_type=create/],
    ['its shared value', /_doc\/\S+if_seq_no/],
  ])('is unchanged if an installation fails because %s is not stored', async (_, line) => {
    await begin()
    const shared = await register({ fields: [{ field: 'token', sharedKey: 'oakvale' }] })
    await install(shared, { token: TOKEN })
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const faulty = await startService({ node: proxy.node })
    try {
      const key = await organization.key('administrator')
      const through = caller(faulty, { key, organization: organization.id })
      await expectOk(through('GET /api/extensions/installed'))
      proxy.set('down', (request) => request.includes('-installations/') && line.test(request))
      expect((await given(shared, 'install', { token: 'other' }, through)).status).toBe(503)
      proxy.set('none')
      const all = await installed(shared)
      expect(all).toHaveLength(1)
      expect(all[0].sharedData[0].defaultValue).toBe(TOKEN)
    } finally {
      await faulty.stop()
      await proxy.close()
    }
  })

  test('is kept for an installation that is created while the last other one is removed', async () => {
    await begin()
    const shared = await register({ fields: [{ field: 'token', sharedKey: 'oakvale' }] })
    for (let round = 0; round < 8; round++) {
      const first = await install(shared, { token: TOKEN })
      const [, second] = await Promise.all([remove(first), given(shared, 'install', {})])
      const [left] = await installed(shared)
      if (second.status === 200) {
        expect(left.sharedData[0].defaultValue).toBe(TOKEN)
        await expectOk(remove(second.body.id))
      } else {
        expect([second.body.message, left]).toEqual(['additionalData.token: required', undefined])
      }
    }
  })
})

describe('an extension whose manifest now requires more fields', () => {
  test('can be changed and disabled without them, but not installed', async () => {
    await begin()
    const before = [{ field: 'account' }]
    const id = await register({ fields: before })
    const one = await install(id, { account: '1001' })
    await register({ id, fields: [...before, { field: 'region' }] })
    await expectOk(update(one, { enabled: false, extensionNickname: 'Oakvale' }))
    expect((await installed(id))[0]).toMatchObject({ enabled: false, nickname: 'Oakvale' })
    const told = async (answer: ReturnType<Call>) => (await answer).body.message
    expect(await told(update(one, { additionalData: { account: '' } }))).toBe(
      'additionalData.account: required',
    )
    expect(await told(given(id, 'install', { account: '1001' }))).toBe(
      'additionalData.region: required',
    )
  })
})

describe('values to validate', () => {
  test('need not repeat what other extensions already share', async () => {
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

  test('get the default for an empty field, as an installation does', async () => {
    await begin()
    const region = { field: 'region', defaultValue: 'EU' }
    const id = await register({ fields: [region], calls: ['run', 'validate'] })
    answer({ problems: [] })
    const fieldsTold = () => JSON.parse(remote.received.at(-1)!.body).installation.fields
    await expectOk(given(id, 'validate', { region: '' }))
    expect(fieldsTold()).toEqual({ region: 'EU' })
    const one = await install(id, { region: '' })
    answer({ items: [] })
    const body = { products: [{ id: 'p', catalog: 'c' }] }
    await expectOk(call(`POST /api/extensions/realtime/${one}/run`, { body }))
    expect(fieldsTold()).toEqual({ region: 'EU' })
  })

  test('are refused with mappings that an installation would be refused for', async () => {
    await begin()
    const id = await register({ kind: 'import' })
    const body = { mappings: [{ column: 0, field: 'nope' }] }
    const [tried, refused] = await Promise.all(
      ['validate', 'install'].map((action) =>
        call(`POST /api/extensions/available/${id}/${action}`, { body }),
      ),
    )
    expect(refused!.body.message).toMatch(/^mappings\[0\]\.field: must be one of/)
    expect(tried!.body).toMatchObject({ success: false, error: refused!.body.message })
  })

  test('are refused if the extension reports a failure', async () => {
    await begin()
    const id = await register({ calls: ['run', 'validate'] })
    answer({ error: 'Our directory is down.' })
    const { body } = await expectOk(given(id, 'validate', {}))
    expect(body).toMatchObject({ success: false, error: 'Oakvale failed: Our directory is down.' })
  })

  test('are also required for fields named like properties of every object', async () => {
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
