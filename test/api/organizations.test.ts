import { beforeAll, describe, expect, test } from 'vitest'
import { bootstrapOperator } from '../../src/keys/bootstrap.ts'
import { limits } from '../../src/limits.ts'
import { organizationsOf } from '../../src/organizations/store.ts'
import type { Service } from '../../src/service.ts'
import {
  type Answer,
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { withProbes } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'
import { untouched } from '../support/untouched.ts'

let service: TestService
let operator: Call

beforeAll(async () => {
  service = await startService()
  operator = caller(service, { key: OPERATOR_KEY })
})

const newId = () => `t-${crypto.randomUUID()}`
const outcome = ({ status, body }: Answer) => [status, body.message]
const details = async (organization: TestOrganization) =>
  (await expectOk(organization.call('GET /api/organizations/current'))).body
const usernames = async (organization: TestOrganization) =>
  (await details(organization)).users.map(({ username }: { username: string }) => username)

/** An organization in which only the operator acts. */
async function bare(extra: object = {}) {
  const id = newId()
  await expectOk(operator('POST /api/organizations', { body: { id, name: id, ...extra } }))
  return { id, call: caller(service, { key: OPERATOR_KEY, organization: id }) }
}
const save = (call: Call, username: string, body: object = {}) =>
  call(`PUT /api/organizations/current/users/${encodeURIComponent(username)}`, { body })
const remove = (call: Call, username: string) =>
  call(`DELETE /api/organizations/current/users/${encodeURIComponent(username)}`)

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
    const body = { defaultCatalog: 'main', logo: 'https://acme.example/logo.png' }
    expect((await call('PUT /api/organizations/current', { body })).body.success).toBe(true)
    expect((await save(call, 'bert', { role: 'editor' })).body.success).toBe(true)
    const expected = {
      id,
      name: 'Acme',
      parent: null,
      defaultCatalog: 'main',
      logo: 'https://acme.example/logo.png',
      catalogs: [],
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
    expect((await call('GET /api/organizations/current')).body).toEqual(expected)
    const key = await call('POST /api/KeyAuth/keys', { body: { username: 'bert' } })
    const listed = await call('GET /api/organizations', { key: key.body.key, organization: null })
    expect(listed.body).toEqual({ organizations: [expected], total: 1 })
    expect((await remove(call, 'bert')).body.success).toBe(true)
    expect((await call('GET /api/organizations/current')).body.users).toHaveLength(1)
  })
})

describe('Create Organization', () => {
  test('is for operators', async () => {
    const { call } = await newOrganization(service)
    const { status, body } = await call('POST /api/organizations', { body: { name: 'x' } })
    expect([status, body.success]).toEqual([403, false])
  })

  test('makes an id from the name, and another one when that is taken', async () => {
    const word = `w${crypto.randomUUID().slice(0, 8)}`
    const make = async () =>
      (await expectOk(operator('POST /api/organizations', { body: { name: `Ü ${word}!` } }))).body
        .id
    expect(await make()).toBe(`u-${word}`)
    expect(await make()).toMatch(new RegExp(`^u-${word}-[0-9a-f]{10}$`))
  })

  test('refuses a taken id', async () => {
    const { id } = await bare()
    const again = await operator('POST /api/organizations', { body: { id, name: 'other' } })
    expect(outcome(again)).toEqual([409, `id: an organization with the id ${id} exists already.`])
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
      /^The user limit is 1; users until now: 0\.$/,
    ],
  ])('refuses %j', async (body, message) => {
    const answer = await operator('POST /api/organizations', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(message)
  })

  test('puts an organization below another, one level deep', async () => {
    const parent = await bare()
    const child = await bare({ parent: parent.id })
    expect((await child.call('GET /api/organizations/current')).body.parent).toBe(parent.id)
    const below = { name: 'x', parent: child.id }
    expect(outcome(await operator('POST /api/organizations', { body: below }))).toEqual([
      400,
      'parent: is itself a child; there is one level of sub-organizations',
    ])
    const nowhere = { name: 'x', parent: 'no-such-organization' }
    expect(outcome(await operator('POST /api/organizations', { body: nowhere }))).toEqual([
      404,
      'Organization not found.',
    ])
  })
})

test(`a parent has at most ${limits.childOrganizations} children`, async () => {
  const parent = await bare()
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
    `parent: has ${limits.childOrganizations} children, the most there can be`,
  ])
  await expectOk(save(parent.call, 'anna'))
  const made = await expectOk(parent.call('POST /api/KeyAuth/keys', { body: { username: 'anna' } }))
  const { body } = await parent.call('GET /api/organizations', { key: made.body.key })
  expect([body.total, body.organizations.length]).toEqual([201, 201])
})

describe('Update Organization', () => {
  test('is for administrators', async () => {
    const organization = await newOrganization(service)
    const editor = await organization.as('editor')
    const { status } = await editor('PUT /api/organizations/current', { body: { name: 'x' } })
    expect(status).toBe(403)
    expect((await details(organization)).name).toBe(organization.id)
  })

  test('leaves limits and credits to operators and puts back what was got', async () => {
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

  test('keeps configurations, but no protected value', async () => {
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
      'configurations[0].defaultValue: values of protected configurations cannot be stored; leave it null',
    ])
    expect((await details(organization)).configurations).toEqual(configurations)
  })

  test('loses nothing when many change different fields at the same time', async () => {
    const { call } = await bare()
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

describe('Get Organizations', () => {
  let parent: TestOrganization
  let child: TestOrganization
  const idsOf = ({ body }: Answer): string[] =>
    body.organizations.map(({ id }: { id: string }) => id)

  beforeAll(async () => {
    parent = await newOrganization(service)
    child = await newOrganization(service, parent.id)
  })

  test('lists what the key reaches, whatever organization is named', async () => {
    const both = [parent.id, child.id].sort()
    const key = await parent.key('viewer')
    for (const organization of [null, parent.id, child.id]) {
      const answer = await operator('GET /api/organizations', { key, organization })
      expect(idsOf(answer)).toEqual(both)
    }
    expect(idsOf(await child.call('GET /api/organizations'))).toEqual([child.id])
  })

  test('lists the organizations of a user who has several', async () => {
    const other = await newOrganization(service)
    const username = newId()
    for (const { call } of [parent, other]) await expectOk(save(call, username))
    const { body } = await expectOk(
      operator('POST /api/KeyAuth/keys', {
        organization: other.id,
        body: { username, allOrganizations: true },
      }),
    )
    const answer = await operator('GET /api/organizations', { key: body.key })
    expect(idsOf(answer)).toEqual([parent.id, child.id, other.id].sort())
  })

  test('lists all to an operator, page by page', async () => {
    const [own] = (await untouched(1)) as [Service]
    const key = await bootstrapOperator(own.services, undefined)
    const call = caller(withProbes(own), { key: key! })
    const ids = ['a', 'b', 'c', 'd', 'e']
    for (const id of ids) {
      await expectOk(call('POST /api/organizations', { body: { id, name: id } }))
    }
    const pages = await Promise.all(
      [0, 1, 2, 3].map((page) => expectOk(call(`GET /api/organizations?pageSize=2&page=${page}`))),
    )
    expect(pages.map(idsOf)).toEqual([['a', 'b'], ['c', 'd'], ['e'], []])
    expect(pages.map(({ body }) => body.total)).toEqual([5, 5, 5, 5])
    expect(idsOf(await call('GET /api/organizations'))).toEqual(ids)
  })

  test('shows to each organization its own catalogs', async () => {
    await expectOk(parent.call('POST /api/Catalog', { body: { name: 'above', active: true } }))
    await expectOk(child.call('POST /api/Catalog', { body: { name: 'below', active: true } }))
    const { body } = await expectOk(parent.call('GET /api/organizations'))
    const names = Object.fromEntries(
      body.organizations.map((one: { id: string; catalogs: { name: string }[] }) => [
        one.id,
        one.catalogs.map(({ name }) => name),
      ]),
    )
    expect(names).toEqual({ [parent.id]: ['above'], [child.id]: ['below'] })
    expect((await details(child)).catalogs).toMatchObject([{ name: 'below', active: true }])
  })

  test.each([
    'page=-1',
    'page=x',
    'page=40',
    'pageSize=10&page=1000',
    'pageSize=251',
    'pageSize=-1',
  ])('refuses %s', async (query) => {
    expect((await operator(`GET /api/organizations?${query}`)).status).toBe(400)
  })
})

describe('Save User', () => {
  test('is for administrators, also those of the parent', async () => {
    const parent = await newOrganization(service)
    const child = await newOrganization(service, parent.id)
    const editor = await child.as('editor')
    expect((await save(editor, 'new')).status).toBe(403)
    const above = caller(service, { key: await parent.key('administrator') })
    const { status } = await above('PUT /api/organizations/current/users/new', {
      organization: child.id,
      body: {},
    })
    expect([status, await usernames(child)]).toEqual([200, expect.arrayContaining(['new'])])
    expect(await usernames(parent)).not.toContain('new')
  })

  test('changes what is given and leaves the rest', async () => {
    const organization = await newOrganization(service)
    const of = async (username: string) =>
      (await details(organization)).users.find(
        (one: { username: string }) => one.username === username,
      )
    const { call } = organization
    await expectOk(save(call, 'zoë', { firstName: 'Zoë', lastName: 'Q', sendNotification: true }))
    expect(await of('zoë')).toEqual({
      username: 'zoë',
      role: 'viewer',
      firstName: 'Zoë',
      lastName: 'Q',
    })
    await expectOk(save(call, 'zoë', { role: 'editor', lastName: null }))
    expect(await of('zoë')).toEqual({
      username: 'zoë',
      role: 'editor',
      firstName: 'Zoë',
      lastName: null,
    })
    await expectOk(save(call, 'zoë', { role: null, firstName: 'Z' }))
    expect(await of('zoë')).toMatchObject({ role: 'editor', firstName: 'Z' })
  })

  test.each([
    ['anna', { role: 'operator' }, 'role: must be one of viewer, editor, administrator'],
    ['anna', { role: 'Editor' }, 'role: must be one of viewer, editor, administrator'],
    ['anna', { role: 7 }, 'role: must be one of viewer, editor, administrator'],
    ['anna', { firstName: 'x'.repeat(201) }, /^firstName: /],
    ['operator', {}, 'uname: operator is reserved'],
    ['a/b', {}, /^uname: must begin with a letter/],
    ['x'.repeat(201), {}, /^uname: /],
  ])('refuses %s with %j', async (username, body, message) => {
    const organization = await newOrganization(service)
    const answer = await save(organization.call, username, body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(message)
    expect(await usernames(organization)).toEqual(['administrator', 'editor', 'viewer'])
  })

  test('loses nobody of 64 who come at the same time on two instances', async () => {
    const { id, call } = await bare()
    const second = caller(await startService(), { key: OPERATOR_KEY, organization: id })
    const names = Array.from({ length: 64 }, (_, n) => `user${n}`)
    const answers = await Promise.all(
      names.map((name, n) => save(n % 2 ? call : second, name, { role: 'editor' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
    const { body } = await call('GET /api/organizations/current')
    expect(body.users.map((one: { username: string }) => one.username).sort()).toEqual(names.sort())
  })
})

describe('the user limit', () => {
  test('holds, also for many at the same time, and not for those who are there', async () => {
    const { call } = await bare({ userLimit: 5 })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => save(call, `user${n}`)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(outcome)).toEqual(
      Array.from({ length: 15 }, () => [400, 'The user limit is 5; users until now: 5.']),
    )
    const { body } = await call('GET /api/organizations/current')
    expect(body.users).toHaveLength(5)
    expect((await save(call, body.users[0].username, { role: 'editor' })).status).toBe(200)
  })

  test('of a parent counts each person once over the children that have none of their own', async () => {
    const parent = await bare({ userLimit: 3 })
    const child = await bare({ parent: parent.id })
    const apart = await bare({ parent: parent.id, userLimit: 1 })
    await expectOk(save(parent.call, 'anna'))
    await expectOk(save(child.call, 'anna'))
    await expectOk(save(child.call, 'bert'))
    await expectOk(save(apart.call, 'carl'))
    expect(outcome(await save(apart.call, 'dora'))).toEqual([
      400,
      'The user limit is 1; users until now: 1.',
    ])
    await expectOk(save(child.call, 'dora'))
    const full = 'The user limit is 3; users in the organizations that share it until now: 3.'
    expect(outcome(await save(child.call, 'emil'))).toEqual([400, full])
    expect(outcome(await save(parent.call, 'emil'))).toEqual([400, full])
    await expectOk(save(parent.call, 'bert'))
    await expectOk(remove(child.call, 'dora'))
    await expectOk(save(parent.call, 'emil'))
  })
})

describe('Remove User', () => {
  test('answers 404 for a stranger', async () => {
    const { call } = await newOrganization(service)
    expect(outcome(await remove(call, 'stranger'))).toEqual([404, 'User not found.'])
  })

  const LAST = [409, 'The last administrator stays: make another user an administrator first.']

  test('keeps the last administrator, removed or given another role', async () => {
    const { id, call } = await newOrganization(service)
    const asOperator = caller(service, { key: OPERATOR_KEY, organization: id })
    expect(outcome(await remove(call, 'administrator'))).toEqual(LAST)
    expect(outcome(await remove(asOperator, 'administrator'))).toEqual(LAST)
    expect(outcome(await save(call, 'administrator', { role: 'editor' }))).toEqual(LAST)
    await expectOk(save(call, 'editor', { role: 'administrator' }))
    expect((await remove(call, 'administrator')).status).toBe(200)
  })

  test('of two administrators who remove each other one stays', async () => {
    const { id } = await bare({
      users: ['anna', 'bert'].map((username) => ({ username, role: 'administrator' })),
    })
    const call = caller(service, { key: OPERATOR_KEY, organization: id })
    const answers = await Promise.all([remove(call, 'anna'), remove(call, 'bert')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('lets a child go without, as long as the parent has one', async () => {
    const parent = await newOrganization(service)
    const child = await newOrganization(service, parent.id)
    expect((await remove(child.call, 'administrator')).status).toBe(200)
    const orphan = await bare()
    const lone = await bare({
      parent: orphan.id,
      users: [{ username: 'anna', role: 'administrator' }],
    })
    expect(outcome(await remove(lone.call, 'anna'))).toEqual(LAST)
  })
})
