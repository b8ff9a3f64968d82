import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExtensionKind } from '../../src/extensions/contract.ts'
import { findExtensionOfKind } from '../../src/extensions/find-extension.ts'
import type { Context } from '../../src/operation.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { type Call, caller, expectOk, newOrganization, OPERATOR_KEY } from '../support/client.ts'
import { json, startRemote, type TestRemote } from '../support/remote.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let call: Call
let remote: TestRemote
/** The manifest without its id, which follows `?` in its address. */
let manifest: Record<string, unknown>

const least = { kind: 'realtime', name: 'Oakvale', calls: ['run', 'validate'] }
const LINE = 'POST /api/extensions/available'

beforeAll(async () => {
  service = await startService({ outbound: createOutbound({ allow: '127.0.0.1' }) })
  call = (await newOrganization(service)).call
  remote = await startRemote({})
  remote.answers((response, { path }) => {
    if (!path.startsWith('/of')) return json(response, { problems: [] })
    json(response, { id: path.split('?')[1], ...manifest })
  })
})
afterAll(() => remote.close())

const newId = () => `oakvale-${crypto.randomUUID()}`

async function register(id: string, more: object = {}, by: Call = call, said: object = least) {
  manifest = { ...said }
  const body = { manifestUrl: `${remote.url}/of?${id}`, ...more }
  return by(LINE, { body })
}

const available = (id: string, by: Call = call) => by(`GET /api/extensions/available/${id}`)
const remove = (id: string, by: Call = call) => by(`DELETE /api/extensions/available/${id}`)
const install = async (id: string, by: Call = call) =>
  (await by(`POST /api/extensions/available/${id}/install`, { body: {} })).body.id

describe('a registered extension', () => {
  test('can be installed by its organization', async () => {
    const id = newId()
    const answer = await register(id)
    expect(answer.body).toMatchObject({ success: true, id })
    expect((await available(id)).body).toMatchObject({
      id,
      category: 'realtime',
      name: 'Oakvale',
      ready: true,
      hasValidation: true,
    })
    const list = (await call('GET /api/extensions/available')).body
    expect(list.map((one: { id: string }) => one.id)).toContain(id)
    expect(await install(id)).toBeTruthy()
  })

  test('is created once, with one secret, if registered concurrently', async () => {
    const id = newId()
    const answers = await Promise.all(Array.from({ length: 6 }, () => register(id)))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(answers.filter(({ body }) => body.secret !== null)).toHaveLength(1)
    expect(await install(id)).toBeTruthy()
  })

  test('gets a generated secret, shown once, if the caller gives none', async () => {
    const first = await register(newId())
    expect(first.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const own = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    const second = await register(newId(), { secret: own })
    expect(second.body.secret).toBeNull()
    for (const secret of ['password', 'whsec_!', 'whsec_aGk=']) {
      expect(await register(newId(), { secret })).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/^secret: /) },
      })
    }
  })

  test('stores its secret encrypted', async () => {
    const id = newId()
    const { body } = await register(id)
    const { client, indexName } = service.services.elastic
    const found = await client.search({ index: indexName('extensions'), query: { term: { id } } })
    expect(found.hits.hits).toHaveLength(1)
    expect(JSON.stringify(found.hits.hits)).not.toContain(body.secret.slice(6))
  })

  test('is read again when registered again, and keeps its secret', async () => {
    const id = newId()
    await register(id)
    const again = await register(id, {}, call, { ...least, name: 'Oakvale 2' })
    expect(again.body).toMatchObject({ success: true, id, secret: null })
    expect((await available(id)).body.name).toBe('Oakvale 2')
    const other = await register(id, {}, call, { ...least, kind: 'export' })
    expect(other).toMatchObject({ status: 409, body: { message: expect.any(String) } })
  })

  test('is visible only to the organization and its children', async () => {
    const parent = await newOrganization(service)
    const child = await newOrganization(service, parent.id)
    const id = newId()
    await register(id, {}, parent.call)
    expect((await available(id, child.call)).status).toBe(200)
    const [foreign, missing] = await Promise.all([id, newId()].map((one) => available(one)))
    expect([foreign!.status, foreign!.body]).toEqual([404, missing!.body])
    expect((await register(id, {}, child.call)).status).toBe(409)
    expect((await remove(id, child.call)).status).toBe(403)
  })

  test('can be made public by an operator', async () => {
    const id = newId()
    const organization = (await newOrganization(service)).id
    const operator = caller(service, { key: OPERATOR_KEY, organization })
    expect((await register(id, { allOrganizations: true })).status).toBe(403)
    expect((await register(id, { allOrganizations: true }, operator)).status).toBe(200)
    expect((await available(id)).status).toBe(200)
    expect((await register(id)).status).toBe(409)
    expect((await remove(id)).status).toBe(403)
    const installed = await install(id)
    const everywhere = `DELETE /api/extensions/available/${id}?allOrganizations=true`
    expect((await operator(everywhere)).status).toBe(409)
    await call(`DELETE /api/extensions/installed/${installed}`)
    expect((await operator(everywhere)).status).toBe(200)
    expect((await available(id)).status).toBe(404)
  })

  test('can be removed once it is not installed anywhere', async () => {
    const parent = await newOrganization(service)
    const child = await newOrganization(service, parent.id)
    const id = newId()
    await register(id, {}, parent.call)
    const installed = await install(id, child.call)
    const body = { extensionLevel: 'user' }
    const line = `POST /api/extensions/available/${id}/install`
    const own = (await parent.call(line, { body })).body.id
    const { status, body: refused } = await remove(id, parent.call)
    expect([status, refused.message]).toEqual([
      409,
      `The extension is still installed: ${installed} in ${child.id}; ${own} in ${parent.id}, only for administrator. Uninstall it first.`,
    ])
    await expectOk(parent.call(`DELETE /api/extensions/installed/${own}`))
    await child.call(`DELETE /api/extensions/installed/${installed}`)
    expect((await remove(id, parent.call)).status).toBe(200)
    expect((await remove(id, parent.call)).status).toBe(404)
  })

  test('of a parent cannot be replaced by its child, which would receive its values', async () => {
    const parent = await newOrganization(service)
    const child = await newOrganization(service, parent.id)
    const id = newId()
    await register(id, {}, child.call, { ...least, kind: 'export', name: 'Child' })
    expect((await register(id, {}, parent.call)).status).toBe(200)
    const organization = { id: child.id, parent: parent.id }
    const signal = AbortSignal.timeout(30_000)
    const ctx = { ...service.services, organization, signal } as unknown as Context
    const used = (home: string, kind: ExtensionKind) =>
      findExtensionOfKind(ctx, { kind, id, home, builtIns: [] })
    expect((await used(parent.id, 'realtime')).manifest.name).toBe('Oakvale')
    expect((await used(child.id, 'export')).manifest.name).toBe('Child')
    await expect(used(child.id, 'realtime')).rejects.toThrow('Extension not found.')
    expect((await available(id, child.call)).body.name).toBe('Child')
  })
})

describe('registering is refused', () => {
  const refused = async (manifestUrl: string) => {
    const { status, body } = await call(LINE, { body: { manifestUrl } })
    return `${status} ${body.message}`
  }

  test('for an address that must not be called', async () => {
    for (const url of ['http://10.0.0.1/m.json', 'http://localhost/m', 'ftp://a.example/m', 'x']) {
      expect(await refused(url)).toMatch(/^400 manifestUrl: /)
    }
    expect(await refused('https://no-such-host.invalid/m.json')).toMatch(/^400 manifestUrl: The a/)
  })

  test('for calls to an address that must not be called', async () => {
    const { status, body } = await register(newId(), {}, call, {
      ...least,
      url: 'http://169.254.169.254/latest',
    })
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^manifest\.url: /)])
  })

  test('for an invalid manifest', async () => {
    const { status, body } = await register(newId(), {}, call, { ...least, calls: [] })
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^manifest\.calls: /)])
  })

  test('for a status other than 200', async () => {
    remote.answers((response) => response.writeHead(404).end())
    expect(await refused(`${remote.url}/of`)).toBe(
      '400 manifestUrl: the server responded with status 404',
    )
  })

  test('for a huge or missing response', async () => {
    remote.answers((response) => response.writeHead(200).end(Buffer.alloc(300_000, ' ')))
    expect(await refused(`${remote.url}/of`)).toBe('400 manifestUrl: The response is too large.')
    remote.answers(() => undefined)
    expect(await refused(`${remote.url}/of`)).toBe(
      '400 manifestUrl: No complete response was received in time.',
    )
  })
})
