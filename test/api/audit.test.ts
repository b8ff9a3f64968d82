import { beforeAll, describe, expect, inject, test } from 'vitest'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { seedCatalog } from '../support/catalog.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { json, startRemote } from '../support/remote.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ outbound: createOutbound({ allow: '127.0.0.1' }) })
})

const LOG = 'GET /api/reporting/audit'
const RULES = 'search/rules'

/** Entries that a query finds, newest first. */
const read = async ({ call }: Pick<TestOrganization, 'call'>, query = 'reads=false') =>
  (await expectOk(call(`${LOG}?${query}`))).body.items

const put = async (call: Call, path: string, body: object) =>
  (await expectOk(call(`PUT ${path}`, { body }))).headers.get('x-request-id')

describe('the audit log', () => {
  test('records who created and disabled a key, with which key and in which request', async () => {
    const org = await newOrganization(service)
    const admin = await org.as('administrator')
    const own = (await expectOk(org.call('GET /api/KeyAuth/keys'))).body.keys
    const body = { name: 'shop page', keyType: 'search', origins: ['https://shop.example'] }
    const headers = { 'user-agent': 'console/1' }
    const made = await expectOk(admin('POST /api/KeyAuth/keys', { body, headers }))
    await expectOk(admin(`DELETE /api/KeyAuth/keys/${made.body.id}`))
    const asked = `targetId=${made.body.id}`
    const [ended, created] = await read(org, asked)
    const sent = { 'content-type': 'application/json', 'if-none-match': '"a"', 'if-match': '"a"' }
    const again = await expectOk(org.call(`${LOG}?${asked}`, { headers: sent }))
    expect(again.body.items).toEqual([ended, created])
    expect(created).toMatchObject({
      operation: 'Generate API Key',
      outcome: 'done',
      actor: { username: 'administrator', role: 'administrator', keyName: 'administrator full' },
      userAgent: 'console/1',
      requestId: made.headers.get('x-request-id'),
      target: { type: 'key', id: made.body.id, name: 'shop page' },
      changes: expect.arrayContaining([
        { field: 'keyType', from: null, to: 'search' },
        { field: 'origins', from: null, to: '["https://shop.example"]' },
      ]),
      secretShown: true,
    })
    expect(own.map(({ id }: { id: string }) => id)).toContain(created.actor.keyId)
    expect(ended).toMatchObject({
      operation: 'Disable API Key',
      target: { name: 'shop page' },
      changes: [{ field: 'enabled', from: 'true', to: 'false' }],
      secretShown: false,
    })
  })

  test('records changes to and deletions of users, rules and catalogs', async () => {
    const org = await newOrganization(service)
    const catalog = await seedCatalog(service, org, [{ id: 'D-1', name: 'Drill' }])
    const user = '/api/organizations/current/users/ada'
    await put(org.call, user, { role: 'viewer', firstName: 'Ada' })
    await put(org.call, user, { role: 'administrator' })
    await expectOk(org.call(`DELETE ${user}`))
    const [removed, raised, added] = await read(org, 'target=user&targetId=ada')
    expect(added.changes).toEqual([
      { field: 'username', from: null, to: 'ada' },
      { field: 'role', from: null, to: 'viewer' },
      { field: 'firstName' },
    ])
    expect(raised.changes).toEqual([{ field: 'role', from: 'viewer', to: 'administrator' }])
    expect(removed.changes[1]).toEqual({ field: 'role', from: 'administrator', to: null })

    const editor = await org.as('editor')
    const rule = { name: 'Black Friday', when: { query: 'drill' } }
    await put(editor, `/api/Catalog/${catalog}/${RULES}`, [rule] as never)
    await put(editor, `/api/Catalog/${catalog}/${RULES}`, [{ ...rule, enabled: false }] as never)
    const [changed] = await read(org, 'operation=Update Search Rules')
    expect(changed).toMatchObject({
      actor: { username: 'editor', role: 'editor' },
      target: { type: 'searchSettings', id: catalog, catalog },
      changes: [{ field: 'rules[Black Friday].enabled', from: 'true', to: 'false' }],
    })

    await put(org.call, '/api/Catalog', { name: catalog, description: 'Hand tools' })
    const deleting = `POST /api/Catalog/${catalog}/products/delete`
    const search = { keywords: 'drill' }
    const { token } = (await expectOk(org.call(deleting, { body: { search } }))).body
    const deleted = await expectOk(org.call(deleting, { body: { search, token } }))
    const [products, described] = await read(org)
    expect(described.changes).toEqual([
      expect.objectContaining({ field: 'description', to: 'Hand tools' }),
    ])
    expect(products).toMatchObject({
      operation: 'Delete Products',
      target: { type: 'products', catalog },
      changes: [
        { field: 'taskId', from: null, to: deleted.body.taskId },
        { field: 'products', from: null, to: '1' },
        { field: 'search', from: null, to: '{"keywords":"drill"}' },
      ],
    })
  })

  test('shows an experiment and the rule that it created in one history', async () => {
    const org = await newOrganization(service)
    const catalog = await seedCatalog(service, org, [{ id: 'D-1', name: 'Drill' }])
    const path = `/api/Catalog/${catalog}/search/experiment`
    const variant = { facets: { hidden: ['Colour'] } }
    await put(org.call, path, { name: 'colours', share: 0.5, variant })
    const end = { name: 'colours', adopt: true }
    await expectOk(org.call(`POST ${path}/end`, { body: end }))
    const [ended, started] = await read(org, 'target=experiment&targetId=colours')
    expect(started.changes).toEqual([
      { field: 'experiment', from: null, to: expect.stringContaining('"name":"colours"') },
    ])
    const fields = ended.changes.map(({ field }: { field: string }) => field)
    expect(fields.toSorted()).toEqual(['experiment', 'facets.hidden'])
  })

  test('contains no secrets of installations, extensions and configurations', async () => {
    const org = await newOrganization(service)
    const remote = await startRemote({})
    const id = `oakvale-${crypto.randomUUID()}`
    remote.answers((response) =>
      json(response, {
        id,
        kind: 'realtime',
        name: 'Oakvale',
        calls: ['run'],
        fields: [
          { field: 'password', protected: true },
          { field: 'token', protected: true, sharedKey: 'oakvale' },
          { field: 'region', optional: true },
        ],
      }),
    )
    const secrets = ['correct-horse', 'battery-staple', 'in-the-address', 'in-a-setting']
    const [password, token, inAddress, inSetting] = secrets
    const manifestUrl = `${remote.url}/of?key=${inAddress}`
    const registering = org.call('POST /api/extensions/available', { body: { manifestUrl } })
    const { secret } = (await expectOk(registering)).body
    const additionalData = { password, token, region: 'eu' }
    const install = `POST /api/extensions/available/${id}/install`
    const installed = (await expectOk(org.call(install, { body: { additionalData } }))).body.id
    const given = { password: 'correct-horse-2', token: 'battery-staple-2' }
    const again = { additionalData: given, enabled: false }
    await put(org.call, `/api/extensions/installed/${installed}`, again)
    const rotated = (await expectOk(org.call('POST /api/callbacks/secret'))).body.secret
    await put(org.call, '/api/organizations/current', {
      configurations: [{ name: 'erpUrl', defaultValue: inSetting }],
    })
    await remote.close()
    const [configured, rotation, updated, first, registered] = await read(org)
    expect(configured.changes).toEqual([{ field: 'configurations[erpUrl]' }])
    expect(rotation).toMatchObject({ target: { type: 'callbackSecret' }, secretShown: true })
    expect(updated.changes).toEqual([
      { field: 'enabled', from: 'true', to: 'false' },
      { field: 'additionalData.password' },
      { field: 'sharedData.oakvale/token' },
    ])
    expect(first.target).toEqual({ type: 'installation', id: installed, name: id, catalog: null })
    expect(first.changes).toEqual(
      expect.arrayContaining([
        { field: 'extension', from: null, to: id },
        { field: 'additionalData.password' },
        { field: 'additionalData.region' },
        { field: 'sharedData.oakvale/token' },
      ]),
    )
    expect(registered).toMatchObject({ target: { type: 'extension', id }, secretShown: true })
    const { client, indexName } = service.services.elastic
    const query = { term: { scope: org.id } }
    const { hits } = await client.search({ index: indexName('audit'), query, size: 100 })
    const stored = JSON.stringify(hits.hits)
    for (const hidden of [...secrets, secret, rotated]) expect(stored).not.toContain(hidden)
  })

  test('records reads and refused requests at most once an hour', async () => {
    const org = await newOrganization(service)
    const editor = await org.as('editor')
    const page = caller(service, { key: await org.key('viewer', 'search') })
    for (const _ of [1, 2, 3]) {
      await expectOk(editor('GET /api/extensions/installed'))
      expect((await page('POST /api/KeyAuth/keys', { body: {} })).status).toBe(403)
      expect((await page(LOG)).status).toBe(403)
      expect((await editor(LOG)).status).toBe(403)
    }
    const told = async (query: string) =>
      (await read(org, query)).map((one: { actor: { username: string }; operation: string }) => [
        one.actor.username,
        one.operation,
      ])
    await expect
      .poll(async () => (await told('outcome=refused')).toSorted())
      .toEqual([
        ['editor', 'Get Audit Log'],
        ['viewer', 'Generate API Key'],
        ['viewer', 'Get Audit Log'],
      ])
    expect(await told('target=installation')).toEqual([['editor', 'Get Installed Extensions']])
    expect(await told('target=installation&reads=false')).toEqual([])
  })

  test('records a read in each organization whose users were returned', async () => {
    const [one, other] = [await newOrganization(service), await newOrganization(service)]
    const username = `ada-${one.id}`
    for (const org of [one, other]) {
      await put(org.call, `/api/organizations/current/users/${username}`, { role: 'viewer' })
    }
    const body = { name: 'all', username, allOrganizations: true }
    const operator = caller(service, { key: OPERATOR_KEY, organization: one.id })
    const { key } = (await expectOk(operator('POST /api/KeyAuth/keys', { body }))).body
    const ada = caller(service, { key, organization: other.id })
    for (const _ of [1, 2]) await expectOk(ada('GET /api/organizations'))
    for (const org of [one, other]) {
      const told = () => read(org, `operation=Get Organizations&user=${username}`)
      await expect.poll(told).toMatchObject([{ target: { type: 'user' } }])
    }
  })

  test('records everything that was answered as successful exactly once', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const behind = await startService({ node: proxy.node })
    const org = await newOrganization(behind)
    const rename = (name: string) => org.call('PUT /api/organizations/current', { body: { name } })
    const isBulk = (line: string) => line.startsWith('POST /_bulk')
    let times = 0
    proxy.set('dropAnswer', (line) => isBulk(line) && ++times === 1)
    const done = await expectOk(rename('Acme East'))
    proxy.set('down', isBulk)
    const unclear = await rename('Acme West')
    proxy.set('none')
    expect(unclear.status).toBe(503)
    const ids = [unclear, done].map(({ headers }) => headers.get('x-request-id'))
    const told = async () =>
      (await read(org, 'operation=Update Organization&outcome=done')).map(
        (one: { requestId: string }) => one.requestId,
      )
    expect(await told()).toContain(ids[1])
    await expect.poll(told).toEqual(ids)
    await behind.stop()
    await proxy.close()
  })

  test('does not record requests refused as invalid', async () => {
    const org = await newOrganization(service)
    const before = await read(org)
    const line = 'DELETE /api/organizations/current/users/administrator'
    expect((await org.call(line)).status).toBe(409)
    expect((await org.call('DELETE /api/KeyAuth/keys/nobody')).status).toBe(404)
    expect(await read(org)).toEqual(before)
  })
})

describe('access to the audit log', () => {
  test('is limited to the organization itself', async () => {
    const [org, other] = [await newOrganization(service), await newOrganization(service)]
    const id = await put(org.call, '/api/organizations/current', { name: 'Acme' })
    expect(await read(other, `requestId=${id}`)).toEqual([])
    const [mine] = await read(org, `requestId=${id}`)
    const behind = await read(other, `after=${mine.id}`)
    expect(JSON.stringify(behind)).not.toContain(org.id)
  })

  test('is given to the owner of a catalog, and hides a parent’s addresses from its children', async () => {
    const parent = await newOrganization(service)
    const child = await newOrganization(service, parent.id)
    const catalog = await seedCatalog(service, parent, [{ id: 'D-1', name: 'Drill' }])
    const headers = { 'x-suborganization': child.id, 'user-agent': 'console/1' }
    const inChild: Call = (line, parts) => parent.call(line, { ...parts, headers })
    const rules = await put(inChild, `/api/Catalog/${catalog}/${RULES}`, [])
    const user = await put(inChild, '/api/organizations/current/users/ada', { role: 'viewer' })
    expect(await read(child, `requestId=${rules}`)).toEqual([])
    expect(await read(parent, `requestId=${rules}`)).toHaveLength(1)
    const [told] = await read(child, `requestId=${user}`)
    expect(told).toMatchObject({ userAgent: null, actor: { keyName: null } })
    const [own] = await read({ call: inChild }, `requestId=${user}`)
    expect(own).toMatchObject({ userAgent: 'console/1' })
  })

  test('is given to operators for their own keys', async () => {
    const org = await newOrganization(service)
    const operator = caller(service, { key: OPERATOR_KEY })
    const { body } = await expectOk(operator('POST /api/KeyAuth/keys', { body: { name: 'new' } }))
    await expectOk(operator(`DELETE /api/KeyAuth/keys/${body.id}`))
    const query = `allOrganizations=true&targetId=${body.id}`
    const asked = await expectOk(operator(`${LOG}?${query}`, { organization: org.id }))
    expect(asked.body.items.map((one: { operation: string }) => one.operation)).toEqual([
      'Disable API Key',
      'Generate API Key',
    ])
    expect((await org.call(`${LOG}?${query}`)).status).toBe(403)
  })
})

describe('reading the audit log', () => {
  test('pages, filters and returns a table', async () => {
    const org = await newOrganization(service)
    const names = ['=1+1', 'b', 'c', 'd', 'e']
    for (const name of names) {
      await expectOk(org.call('POST /api/Catalog', { body: { name } }))
    }
    const narrowed = 'operation=Create Catalog&user=administrator&pageSize=2'
    const seen: string[] = []
    for (let after = ''; ; ) {
      const { items, after: next } = (await expectOk(org.call(`${LOG}?${narrowed}&after=${after}`)))
        .body
      seen.push(...items.map(({ target }: { target: { id: string } }) => target.id))
      if (next === undefined) break
      expect(next).toBe(items.at(-1).id)
      after = next
    }
    expect(seen).toEqual(names.toReversed())
    const { body, headers } = await org.call(`${LOG}?operation=Create Catalog&format=csv`)
    expect(headers.get('content-type')).toMatch(/^text\/csv/)
    expect(body.split('\r\n')).toHaveLength(names.length + 2)
    expect(body).toContain(",catalog,'=1+1,")
    const today = new Date().toISOString().slice(0, 10)
    expect(await read(org, `from=${today}&target=catalog`)).toHaveLength(names.length)
    expect(await read(org, 'to=2020-01-01')).toEqual([])
    const wrong = ['target=planet', 'after=yesterday', 'from=2026-02-02&to=2026-02-01', 'page=1']
    for (const query of wrong) expect((await org.call(`${LOG}?${query}`)).status).toBe(400)
  })
})
