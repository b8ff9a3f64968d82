import { beforeAll, describe, expect, test } from 'vitest'
import { catalogsOf } from '../../src/catalogs/store.ts'
import { limits } from '../../src/limits.ts'
import { currentOrganization, organizationsOf } from '../../src/organizations/store.ts'
import { type Call, caller, expectOk, newOrganization, OPERATOR_KEY } from '../support/client.ts'
import {
  details,
  newId,
  organizationWithoutUsers,
  outcome,
  remove,
  save,
} from '../support/organizations.ts'
import { mostUnderWay } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let operator: Call

beforeAll(async () => {
  service = await startService()
  operator = caller(service, { key: OPERATOR_KEY })
})

describe.each(['1.0', '6.0'])('revision %s', (version) => {
  test('creates, shows, changes and lists an organization with its users', async () => {
    const id = newId()
    const created = await operator('POST /api/organizations', {
      version,
      body: {
        id,
        name: 'Acme',
        userLimit: 10,
        users: [{ username: 'anna', role: 'administrator', firstName: 'Anna' }],
      },
    })
    expect([created.status, created.body]).toEqual([
      200,
      { success: true, message: 'Organization created.', id, taskId: null },
    ])
    const call = caller(service, { key: OPERATOR_KEY, organization: id, version })
    const main = { name: 'main', description: 'x', active: true, checkRealtime: false }
    await expectOk(call('POST /api/Catalog', { body: main }))
    const body = { defaultCatalog: 'main', logo: 'https://acme.example/logo.png' }
    expect((await call('PUT /api/organizations/current', { body })).body.success).toBe(true)
    expect((await save(call, 'bert', { role: 'editor' })).body.success).toBe(true)
    const expected = {
      id,
      name: 'Acme',
      parent: null,
      defaultCatalog: 'main',
      logo: 'https://acme.example/logo.png',
      catalogs: [main],
      configurations: [],
      users: [
        { username: 'anna', role: 'administrator', firstName: 'Anna', lastName: null },
        { username: 'bert', role: 'editor', firstName: null, lastName: null },
      ],
      userLimit: 10,
      catalogLimit: null,
      licensedUserCount: 0,
      searchCredits: null,
      additionalCreditBundle: 0,
      additionalCreditCost: 0,
    }
    const shown = await call('GET /api/organizations/current')
    expect(shown.body).toEqual({ ...expected, role: 'operator' })
    const key = await call('POST /api/KeyAuth/keys', { body: { username: 'bert' } })
    const listed = await call('GET /api/organizations', { key: key.body.key, organization: null })
    expect(listed.body).toEqual({ organizations: [expected], total: 1 })
    expect((await remove(call, 'bert')).body.success).toBe(true)
    expect((await call('GET /api/organizations/current')).body.users).toHaveLength(1)
  })
})

describe('Create Organization', () => {
  test('is only for operators', async () => {
    const { call } = await newOrganization(service)
    const { status, body } = await call('POST /api/organizations', { body: { name: 'x' } })
    expect([status, body.success]).toEqual([403, false])
  })

  test('derives an id from the name, and a different one if it is in use', async () => {
    const word = `w${crypto.randomUUID().slice(0, 8)}`
    const make = async () =>
      (await expectOk(operator('POST /api/organizations', { body: { name: `Ü ${word}!` } }))).body
        .id
    expect(await make()).toBe(`u-${word}`)
    expect(await make()).toMatch(new RegExp(`^u-${word}-[0-9a-f]{10}$`))
  })

  test('refuses an id in use', async () => {
    const { id } = await organizationWithoutUsers(service)
    const again = await operator('POST /api/organizations', { body: { id, name: 'other' } })
    expect(outcome(again)).toEqual([409, `id: an organization with the id ${id} already exists`])
    const { body } = await operator('GET /api/organizations/current', { organization: id })
    expect(body.name).toBe(id)
  })

  test.each([
    [{}, /^name:/],
    [{ name: ' ' }, /^name:/],
    [{ name: 'x'.repeat(201) }, /^name:/],
    [{ name: 'x', id: 'Upper' }, /^id: must have 1 to 64 lower-case/],
    [{ name: 'x', id: 'a.b' }, /^id:/],
    [{ name: 'x', id: 'a'.repeat(65) }, /^id:/],
    [{ name: 'x', userLimit: -1 }, /^userLimit:/],
    [{ name: 'x', userLimit: 1.5 }, /^userLimit:/],
    [{ name: 'x', searchCredits: 1e300 }, /^searchCredits:/],
    [{ name: 'x', defaultCatalog: 'a/b' }, /^defaultCatalog: must not contain \//],
    [
      { name: 'x', users: [{ username: 'a', role: 'operator' }] },
      /^users\[0\].role: must be one of/,
    ],
    [
      { name: 'x', users: [{ username: 'a b', role: 'viewer' }] },
      /^users\[0\].username: must begin/,
    ],
    [
      { name: 'x', users: [1, 2].map(() => ({ username: 'a', role: 'viewer' })) },
      /^users: a user is listed twice/,
    ],
    [
      {
        name: 'x',
        userLimit: 1,
        users: ['a', 'b'].map((username) => ({ username, role: 'viewer' })),
      },
      /^The user limit is 1; current users: 0\.$/,
    ],
  ])('refuses %j', async (body, message) => {
    const answer = await operator('POST /api/organizations', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(message)
  })

  test('creates an organization below another, one level deep', async () => {
    const parent = await organizationWithoutUsers(service)
    const child = await organizationWithoutUsers(service, { parent: parent.id })
    expect((await child.call('GET /api/organizations/current')).body.parent).toBe(parent.id)
    const below = { name: 'x', parent: child.id }
    expect(outcome(await operator('POST /api/organizations', { body: below }))).toEqual([
      400,
      'parent: is itself a sub-organization; only one level is supported',
    ])
    const nowhere = { name: 'x', parent: 'no-such-organization' }
    expect(outcome(await operator('POST /api/organizations', { body: nowhere }))).toEqual([
      404,
      'Organization not found.',
    ])
  })
})

test(`a parent has at most ${limits.childOrganizations} children`, async () => {
  const parent = await organizationWithoutUsers(service)
  const make = () =>
    operator('POST /api/organizations', { body: { name: newId(), parent: parent.id } })
  const { id: model } = (await expectOk(make())).body
  const store = organizationsOf(service.services)
  const { source } = (await store.get(model))!
  await Promise.all(
    Array.from({ length: limits.childOrganizations - 2 }, newId).map((id) =>
      store.create(id, { ...source, id }),
    ),
  )
  await expectOk(make())
  expect(outcome(await make())).toEqual([
    400,
    `parent: has the maximum of ${limits.childOrganizations} sub-organizations`,
  ])
  await expectOk(save(parent.call, 'anna'))
  const made = await expectOk(parent.call('POST /api/KeyAuth/keys', { body: { username: 'anna' } }))
  const { body } = await parent.call('GET /api/organizations', { key: made.body.key })
  expect([body.total, body.organizations.length]).toEqual([201, 201])
})

test('a large organization does not make the reads of others wait for each other', async () => {
  const store = organizationsOf(service.services)
  const { id } = await newOrganization(service)
  const { source } = (await store.get(id))!
  const long = { name: 'long', dataType: null, protected: false, defaultValue: null }
  const configurations = [{ ...long, description: 'x'.repeat(600_000) }]
  const [large = '', ...small] = Array.from({ length: 9 }, newId)
  await store.create(large, { ...source, id: large, configurations })
  await Promise.all(small.map((one) => store.create(one, { ...source, id: one })))
  const read = (one: string) => currentOrganization(service.services, one)
  await read(large)
  const most = await mostUnderWay(
    service,
    () => Promise.all(small.map(read)),
    ({ path }) => path.includes('organizations/_doc/'),
  )
  expect(most).toBeGreaterThan(1)
})

test('an organization whose names and configurations are too long together is refused', async () => {
  const organization = await newOrganization(service)
  const store = organizationsOf(service.services)
  const { source, ...at } = (await store.get(organization.id))!
  const user = (i: number) => ({
    ...{ username: `${i}`.padEnd(200, 'x'), role: 'viewer' as const, membership: newId() },
    ...{ firstName: null, lastName: null },
  })
  const users = [...source.users, ...Array.from({ length: 2_621 }, (_, i) => user(i))]
  await store.replace(organization.id, { ...source, users }, at)
  await expectOk(save(organization.call, 'anna'))
  const refused = await save(organization.call, 'b'.repeat(200))
  expect(outcome(refused)).toEqual([400, expect.stringContaining('524288 characters together')])
  await expectOk(remove(organization.call, 'anna'))
})

test('a list of organizations with too many large catalogs is refused, and says what to do', async () => {
  const { id, call } = await newOrganization(service)
  const catalogs = catalogsOf(service.services, id)
  const { body } = await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
  const { source } = (await catalogs.get(body.id))!
  const description = 'x'.repeat(200_000)
  await Promise.all(
    Array.from({ length: 66 }, (_, i) =>
      catalogs.create(`c${i}`, { ...source, name: `c${i}`, description }),
    ),
  )
  await catalogs.refresh()
  const refused = await call('GET /api/organizations')
  expect(outcome(refused)).toEqual([400, expect.stringContaining('Request fewer')])
})

describe('Update Organization', () => {
  test('is only for administrators', async () => {
    const organization = await newOrganization(service)
    const editor = await organization.as('editor')
    const { status } = await editor('PUT /api/organizations/current', { body: { name: 'x' } })
    expect(status).toBe(403)
    expect((await details(organization)).name).toBe(organization.id)
  })

  test('changes limits and credits only for operators, and accepts a returned organization', async () => {
    const organization = await newOrganization(service)
    const as = { organization: organization.id }
    const allowances = {
      userLimit: 7,
      catalogLimit: 6,
      licensedUserCount: 5,
      searchCredits: 4,
      additionalCreditBundle: 3,
      additionalCreditCost: 2.5,
    }
    await expectOk(operator('PUT /api/organizations/current', { ...as, body: allowances }))
    const before = await details(organization)
    expect(before).toMatchObject(allowances)
    const more = { ...before, userLimit: 700, searchCredits: null, name: 'New', users: [] }
    await expectOk(organization.call('PUT /api/organizations/current', { body: more }))
    expect(await details(organization)).toEqual({ ...before, name: 'New' })
    await expectOk(organization.call('PUT /api/organizations/current', { body: before }))
    expect(await details(organization)).toEqual(before)
  })

  test('stores configurations, but no protected value', async () => {
    const organization = await newOrganization(service)
    const put = (configurations: object[]) =>
      organization.call('PUT /api/organizations/current', { body: { configurations } })
    const plain = { name: 'hosts', defaultValue: 'a.example', description: 'd', dataType: 'string' }
    await expectOk(put([plain, { name: 'token', protected: true }]))
    const configurations = [
      { ...plain, protected: false },
      { name: 'token', description: null, defaultValue: null, protected: true, dataType: null },
    ]
    expect((await details(organization)).configurations).toEqual(configurations)
    const secret = await put([{ name: 'token', protected: true, defaultValue: 'x' }])
    expect(outcome(secret)).toEqual([
      400,
      'configurations[0].defaultValue: protected configurations cannot have a value; omit it',
    ])
    expect((await details(organization)).configurations).toEqual(configurations)
  })

  test('accepts a default catalog that is its own or its parent’s', async () => {
    const parent = await newOrganization(service)
    const { id, call } = await newOrganization(service, parent.id)
    await expectOk(parent.call('POST /api/Catalog', { body: { name: 'shared' } }))
    await expectOk(call('POST /api/Catalog', { body: { name: 'own' } }))
    const put = (defaultCatalog: string | null) =>
      call('PUT /api/organizations/current', { body: { defaultCatalog } })
    for (const name of ['own', 'shared', null, 'own']) {
      expect((await put(name)).status).toBe(200)
    }
    const message = 'defaultCatalog: catalog not found; create it first'
    expect(outcome(await put('none'))).toEqual([400, message])
    const upwards = { body: { defaultCatalog: 'own' } }
    expect(outcome(await parent.call('PUT /api/organizations/current', upwards))).toEqual([
      400,
      message,
    ])
    await expectOk(call('DELETE /api/Catalog/own'))
    // An organization that was read can be put back.
    expect((await put('own')).status).toBe(200)
    const make = (parent: string | undefined) =>
      operator('POST /api/organizations', { body: { name: id, parent, defaultCatalog: 'shared' } })
    expect(outcome(await make(undefined))).toEqual([400, message])
    expect((await make(parent.id)).status).toBe(200)
  })

  test('loses nothing with many concurrent changes of different fields', async () => {
    const { call } = await organizationWithoutUsers(service)
    await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
    const bodies = [
      { name: 'A' },
      { logo: 'b' },
      { defaultCatalog: 'c' },
      { userLimit: 4 },
      { catalogLimit: 5 },
      { searchCredits: 6 },
    ]
    await Promise.all(
      bodies.map((body) => expectOk(call('PUT /api/organizations/current', { body }))),
    )
    const { body } = await call('GET /api/organizations/current')
    expect(body).toMatchObject(Object.assign({}, ...bodies))
  })
})
