import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { StoredValue } from '../../src/extensions/installation.ts'
import { installationsOf, SHARED, sharedValuesOf } from '../../src/extensions/store.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { bindSharedValues } from '../../src/sealing/bind-shared-values.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { json, startRemote, type TestRemote } from '../support/remote.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let trusted: TestRemote
let other: TestRemote
let organization: TestOrganization
let call: Call

beforeAll(async () => {
  service = await startService({ outbound: createOutbound({ allow: '127.0.0.1' }) })
  trusted = await startRemote({})
  other = await startRemote({})
})
afterAll(() => Promise.all([trusted.close(), other.close()]))

beforeEach(async () => {
  organization = await newOrganization(service)
  call = organization.call
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
  const product = { id: 'p', name: 'p', manufacturerPartNumber: 'M-1' }
  await expectOk(call('POST /api/Catalog/c/products', { body: product }))
  for (const remote of [trusted, other]) remote.answers((response) => json(response, { items: [] }))
})

const PASSWORD = 'correct-horse'
const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZg=='
const update = (id: string, body: object) => call(`PUT /api/extensions/installed/${id}`, { body })
const install = (id: string, additionalData: object) =>
  call(`POST /api/extensions/available/${id}/install`, { body: { additionalData } })
const installed = async (id: string, additionalData: object) =>
  (await expectOk(install(id, additionalData))).body.id as string
const run = (id: string) =>
  call(`POST /api/extensions/realtime/${id}/run`, {
    body: { products: [{ id: 'p', catalog: 'c' }] },
  })

/** Registers an extension whose calls go to `remote`. */
async function register(id: string, remote: TestRemote, fields: object[], secret?: string) {
  const manifest = { id, kind: 'realtime', name: id, calls: ['run'], fields, url: remote.url }
  trusted.answers((response) => json(response, manifest))
  const body = { manifestUrl: `${trusted.url}/of`, ...(secret ? { secret } : {}) }
  const answer = await call('POST /api/extensions/available', { body })
  for (const one of [trusted, other]) one.answers((response) => json(response, { items: [] }))
  return answer
}
const told = (remote: TestRemote, from: number) => JSON.stringify(remote.received.slice(from))

const again = (field: string) =>
  expect.stringContaining(`${field}: must be entered again for ${other.url}`)

test.each([
  ['file', 'fileUrl', 'password', PASSWORD],
  ['http', 'url', 'secret', SECRET],
])(
  'an address of %s cannot be changed without the credentials that are sent there',
  async (id, address, name, text) => {
    const one = await installed(id, { [address]: `${trusted.url}/a.csv`, [name]: text })
    const to = (url: string, more: object = {}) =>
      update(one, { additionalData: { [address]: url, ...more } })
    const refused = await to(`${other.url}/a.csv`)
    expect([refused.status, refused.body.message]).toEqual([400, again(`additionalData.${name}`)])
    await expectOk(to(`${trusted.url}/b.csv`))
    await expectOk(to(`${other.url}/a.csv`, { [name]: SECRET }))
    await expectOk(update(one, { extensionNickname: 'Oakvale' }))
  },
)

test.each(['http:', 'http:/', 'http:\\\\', ' HTTP://'])(
  'the same address in another spelling is not a change: %s',
  async (spelled) => {
    const one = await installed('file', { fileUrl: `${trusted.url}/a.csv`, password: PASSWORD })
    const host = new URL(other.url).host
    const refused = await update(one, { additionalData: { fileUrl: `${spelled}${host}/a.csv` } })
    expect([refused.status, refused.body.message]).toEqual([400, again('additionalData.password')])
  },
)

test('a password can be cleared together with a change of the address', async () => {
  const at = (url: string | null) => ({ additionalData: { fileUrl: url } })
  const one = await installed('file', { fileUrl: `${trusted.url}/a.csv`, password: PASSWORD })
  await expectOk(update(one, at('')))
  expect((await update(one, at(`${other.url}/a.csv`))).status).toBe(400)
  await expectOk(update(one, { additionalData: { fileUrl: `${other.url}/a.csv`, password: '' } }))
})

test('a password stored by an earlier version stays bound to its address too', async () => {
  const one = await installed('file', { fileUrl: `${trusted.url}/a.csv`, password: PASSWORD })
  const installations = installationsOf(service.services, organization.id)
  const found = (await installations.get(one))!
  const { to: _, ...password } = found.source.values.password!
  const values = { ...found.source.values, password }
  await installations.replace(one, { ...found.source, values }, found)
  const change = { additionalData: { fileUrl: `${other.url}/a.csv` } }
  expect((await update(one, change)).status).toBe(400)
  await expectOk(update(one, { additionalData: { fileUrl: '' } }))
  expect((await update(one, change)).status).toBe(400)
})

test('the address of a registered extension cannot be changed without its credentials', async () => {
  const fields = [{ field: 'shop' }, { field: 'password', protected: true }]
  await expectOk(register('shops', trusted, fields))
  const one = await installed('shops', { shop: trusted.url, password: PASSWORD })
  const refused = await update(one, { additionalData: { shop: other.url } })
  expect([refused.status, refused.body.message]).toEqual([400, again('additionalData.password')])
})

test('a shared address does not receive the password of an installation for another address', async () => {
  const shop = { field: 'shop', sharedKey: 'oakvale' }
  await expectOk(register('shops', trusted, [shop, { field: 'password', protected: true }]))
  await expectOk(register('pages', trusted, [shop]))
  const one = await installed('shops', { shop: trusted.url, password: PASSWORD })
  const page = await installed('pages', {})
  const refused = await update(one, { additionalData: { shop: other.url } })
  expect([refused.status, refused.body.message]).toEqual([400, again('additionalData.password')])
  await expectOk(update(page, { additionalData: { shop: other.url } }))
  const from = trusted.received.length
  expect(JSON.stringify((await run(one)).body)).toContain(`must be entered again for ${other.url}`)
  expect(trusted.received.slice(from)).toEqual([])
  await expectOk(update(one, { additionalData: { password: 'battery-staple' } }))
  await run(one)
  expect(told(trusted, from)).toContain('battery-staple')
})

test('a shared value is not sent to an address that somebody else tries', async () => {
  const fields = [
    { field: 'shop', optional: true },
    { field: 'token', protected: true, sharedKey: 'oakvale' },
  ]
  const manifest = { id: 'list', kind: 'import', name: 'list', calls: ['run', 'sample'], fields }
  trusted.answers((response) => json(response, { ...manifest, url: trusted.url }))
  const body = { manifestUrl: `${trusted.url}/of` }
  await expectOk(call('POST /api/extensions/available', { body }))
  await expectOk(install('list', { token: PASSWORD }))
  const sampled = async (by: Call, additionalFields: object) => {
    const from = trusted.received.length
    const at = 'POST /api/extensions/available/list/getSample'
    await expectOk(by(at, { body: { additionalFields } }))
    return told(trusted, from).includes(PASSWORD)
  }
  const editor = await organization.as('editor')
  expect(await sampled(editor, {})).toBe(true)
  expect(await sampled(editor, { shop: other.url })).toBe(false)
  const key = await organization.key('administrator', 'import')
  expect(await sampled(caller(service, { key }), { shop: other.url })).toBe(false)
})

test('a shared value stays with the extensions of one address', async () => {
  const fields = [{ field: 'token', protected: true, sharedKey: 'oakvale' }]
  await expectOk(register('theirs', trusted, fields))
  await expectOk(register('same', trusted, fields))
  await expectOk(register('stranger', other, [{ ...fields[0], optional: true }]))
  const theirs = await installed('theirs', { token: PASSWORD })
  const same = await installed('same', {})
  const stranger = await installed('stranger', {})
  const from = [trusted.received.length, other.received.length]
  for (const id of [theirs, same, stranger]) await expectOk(run(id))
  expect(told(trusted, from[0]!).split(PASSWORD)).toHaveLength(3)
  expect(told(other, from[1]!)).not.toContain(PASSWORD)
  await expectOk(update(stranger, { additionalData: { token: 'another' } }))
  await expectOk(run(theirs))
  expect(trusted.received.at(-1)!.body).toContain(PASSWORD)
})

test('npm run migrate keeps a shared value of an earlier version for its installations', async () => {
  const fields = [{ field: 'token', protected: true, sharedKey: 'oakvale' }]
  await expectOk(register('before', trusted, fields))
  const one = await installed('before', { token: PASSWORD })
  const shared = sharedValuesOf(service.services, organization.id)
  const found = (await shared.get(SHARED))!
  const [{ text }] = Object.values(found.source.values) as [StoredValue]
  const values = { 'oakvale/token': { text, sealed: true } }
  await shared.replace(SHARED, { ...found.source, values }, found)
  await bindSharedValues(service.services)
  await expectOk(run(one))
  expect(trusted.received.at(-1)!.body).toContain(PASSWORD)
  await expectOk(register('after', other, fields))
  expect((await install('after', {})).status).toBe(400)
})

test('calls go to another address only with another secret, and without the values entered before', async () => {
  const fields = [{ field: 'password', protected: true }]
  await expectOk(register('mover', trusted, fields))
  const one = await installed('mover', { password: PASSWORD })
  const refused = await register('mover', other, fields)
  expect([refused.status, refused.body.message]).toEqual([
    400,
    `secret: required because calls now go to ${other.url} instead of ${trusted.url}`,
  ])
  await expectOk(register('mover', other, fields, SECRET))
  const from = other.received.length
  const answer = await run(one)
  expect(JSON.stringify(answer.body)).toContain(`password: must be entered again for ${other.url}`)
  expect(other.received.slice(from)).toEqual([])
  await expectOk(update(one, { additionalData: { password: 'battery-staple' } }))
  await run(one)
  expect(told(other, from)).toContain('battery-staple')
})
