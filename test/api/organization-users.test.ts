import { beforeAll, describe, expect, test } from 'vitest'
import type { PublicContext } from '../../src/operation.ts'
import { type SharedUserLimit, sharedUserLimit } from '../../src/organizations/user-limit.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import {
  details,
  organizationWithoutUsers,
  outcome,
  remove,
  save,
} from '../support/organizations.ts'
import { roundTrips } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let operator: Call

beforeAll(async () => {
  service = await startService()
  operator = caller(service, { key: OPERATOR_KEY })
})

const usernames = async (organization: TestOrganization) =>
  (await details(organization)).users.map(({ username }: { username: string }) => username)

describe('Save User', () => {
  test('is for administrators, including those of the parent', async () => {
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

  test('changes the given fields only', async () => {
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
    expect((await usernames(organization)).sort()).toEqual(['administrator', 'editor', 'viewer'])
  })

  test('loses none of 64 concurrent users on two instances', async () => {
    const { id, call } = await organizationWithoutUsers(service)
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
  test('holds for concurrent additions too, but not for existing users', async () => {
    const { call } = await organizationWithoutUsers(service, { userLimit: 5 })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => save(call, `user${n}`)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(outcome)).toEqual(
      Array.from({ length: 15 }, () => [400, 'The user limit is 5; current users: 5.']),
    )
    const { body } = await call('GET /api/organizations/current')
    expect(body.users).toHaveLength(5)
    expect((await save(call, body.users[0].username, { role: 'editor' })).status).toBe(200)
  })

  test('of a parent counts each person once, across children without a limit of their own', async () => {
    const parent = await organizationWithoutUsers(service, { userLimit: 3 })
    const child = await organizationWithoutUsers(service, { parent: parent.id })
    const apart = await organizationWithoutUsers(service, { parent: parent.id, userLimit: 1 })
    await expectOk(save(parent.call, 'anna'))
    await expectOk(save(child.call, 'anna'))
    await expectOk(save(child.call, 'bert'))
    await expectOk(save(apart.call, 'carl'))
    expect(outcome(await save(apart.call, 'dora'))).toEqual([
      400,
      'The user limit is 1; current users: 1.',
    ])
    await expectOk(save(child.call, 'dora'))
    const full = 'The user limit is 3; current users in the organizations that share it: 3.'
    expect(outcome(await save(child.call, 'emil'))).toEqual([400, full])
    expect(outcome(await save(parent.call, 'emil'))).toEqual([400, full])
    await expectOk(save(parent.call, 'bert'))
    await expectOk(remove(child.call, 'dora'))
    await expectOk(save(parent.call, 'emil'))
  })

  test('that was lowered allows only users who are already counted', async () => {
    const users = ['anna', 'bert'].map((username) => ({ username, role: 'viewer' }))
    const parent = await organizationWithoutUsers(service, { users })
    const child = await organizationWithoutUsers(service, { parent: parent.id })
    await expectOk(parent.call('PUT /api/organizations/current', { body: { userLimit: 1 } }))
    await expectOk(save(child.call, 'anna'))
    await expectOk(
      operator('POST /api/organizations', { body: { name: 'x', parent: parent.id, users } }),
    )
    expect((await save(child.call, 'carl')).status).toBe(400)
  })

  test('of a parent holds for its own new child, not for one of the same name elsewhere', async () => {
    const full = await organizationWithoutUsers(service, { userLimit: 0 })
    const free = await organizationWithoutUsers(service, { userLimit: 9 })
    const name = `Sales ${crypto.randomUUID()}`
    const users = [{ username: 'anna', role: 'viewer' }]
    const [refused, made] = await Promise.all(
      [full, free].map(({ id: parent }) =>
        operator('POST /api/organizations', { body: { name, parent, users } }),
      ),
    )
    expect([refused!.status, made!.status]).toEqual([400, 200])
  })

  test('of a parent costs few lookups for many concurrent users of one child', async () => {
    const parent = await organizationWithoutUsers(service, { userLimit: 50 })
    const child = await organizationWithoutUsers(service, { parent: parent.id })
    const sibling = await organizationWithoutUsers(service, { parent: parent.id })
    await expectOk(save(sibling.call, 'anna'))
    const users = Array.from({ length: 24 }, (_, n) => `user${n}`)
    await Promise.all(users.map((user) => expectOk(save(child.call, user))))
    expect((await details(child)).users).toHaveLength(24)
    const ctx = { ...service.services, signal: AbortSignal.timeout(30_000) } as PublicContext
    const limited = { id: child.id, parent: parent.id, userLimit: null }
    let found: SharedUserLimit[] = []
    const searches = await roundTrips(
      service,
      async () => {
        found = await Promise.all(users.map(() => sharedUserLimit(ctx, limited)))
      },
      ({ path }) => path.endsWith('organizations/_search'),
    )
    expect(new Set(found.map(({ userLimit }) => userLimit))).toEqual(new Set([50]))
    expect(found.at(-1)!.elsewhere).toContain('anna')
    // One may have begun before the other requests, and one serves these.
    expect(searches).toBeGreaterThan(0)
    expect(searches).toBeLessThanOrEqual(2)
  })

  test('of a parent holds for many concurrent users of its children', async () => {
    const parent = await organizationWithoutUsers(service, { userLimit: 5 })
    const children = [
      await organizationWithoutUsers(service, { parent: parent.id }),
      await organizationWithoutUsers(service, { parent: parent.id }),
    ]
    const all = [parent, ...children]
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => save(all[n % 3]!.call, `user${n}`)),
    )
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    // A request that was answered 503 may have joined.
    const [joined, unclear] = [count(200), count(503)]
    const listed = await Promise.all(
      all.map(({ call }) => expectOk(call('GET /api/organizations/current'))),
    )
    const users = listed.flatMap(({ body }) => body.users)
    expect(users.length).toBeLessThanOrEqual(5)
    expect(users.length - joined).toBeGreaterThanOrEqual(0)
    expect(users.length - joined).toBeLessThanOrEqual(unclear)
    expect([joined > 0, count(400) > 0, joined + unclear + count(400)]).toEqual([true, true, 24])
    for (let left = 5 - users.length; left > 0; left--)
      await expectOk(save(parent.call, `late${left}`))
    expect((await save(children[0]!.call, 'last')).status).toBe(400)
  })
})

describe('Remove User', () => {
  test('returns 404 for an unknown user', async () => {
    const { call } = await newOrganization(service)
    expect(outcome(await remove(call, 'stranger'))).toEqual([404, 'User not found.'])
  })

  const LAST = [
    409,
    'The last administrator cannot be removed or demoted. Make another user an administrator first.',
  ]

  test('does not remove or demote the last administrator', async () => {
    const { id, call } = await newOrganization(service)
    const asOperator = caller(service, { key: OPERATOR_KEY, organization: id })
    expect(outcome(await remove(call, 'administrator'))).toEqual(LAST)
    expect(outcome(await remove(asOperator, 'administrator'))).toEqual(LAST)
    expect(outcome(await save(call, 'administrator', { role: 'editor' }))).toEqual(LAST)
    await expectOk(save(call, 'editor', { role: 'administrator' }))
    expect((await remove(call, 'administrator')).status).toBe(200)
  })

  test('keeps one of two administrators who remove each other', async () => {
    const { id } = await organizationWithoutUsers(service, {
      users: ['anna', 'bert'].map((username) => ({ username, role: 'administrator' })),
    })
    const call = caller(service, { key: OPERATOR_KEY, organization: id })
    const answers = await Promise.all([remove(call, 'anna'), remove(call, 'bert')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('can remove a child’s last administrator if the parent has one', async () => {
    const parent = await newOrganization(service)
    const child = await newOrganization(service, parent.id)
    expect((await remove(child.call, 'administrator')).status).toBe(200)
    const orphan = await organizationWithoutUsers(service)
    const lone = await organizationWithoutUsers(service, {
      parent: orphan.id,
      users: [{ username: 'anna', role: 'administrator' }],
    })
    expect(outcome(await remove(lone.call, 'anna'))).toEqual(LAST)
  })
})
