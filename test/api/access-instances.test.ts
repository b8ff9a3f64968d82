import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { inOrganization, keyOfNewUser, ORGANIZATION_NOT_FOUND } from '../support/access.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { withProbes } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let probe: Call
let operator: Call
let parent: TestOrganization

beforeAll(async () => {
  service = await startService()
  probe = caller(withProbes(service))
  operator = caller(service, { key: OPERATOR_KEY })
  parent = await newOrganization(service)
})

describe('with two instances', () => {
  test('a change takes effect at once on the same instance, and within two seconds on the other', async () => {
    let time = Date.now()
    const clock = { now: () => new Date(time) }
    const [one, two] = [await startService({ clock }), await startService({ clock })]
    const home = await newOrganization(one)
    const [first, second] = [withProbes(one), withProbes(two)]
    const users = await Promise.all(
      ['disabled', 'removed', 'promoted'].map(() => keyOfNewUser(service, home, 'viewer')),
    )
    const [disabled, removed, promoted] = users as [(typeof users)[0], ...typeof users]
    const states = async (instance: typeof first) =>
      Promise.all(
        users.map(async ({ key }) => {
          const { status, body } = await caller(instance)('GET /api/probe', { key })
          return status === 200 ? body.caller.role : status
        }),
      )
    // A new key works on both instances at once, and is then cached by both.
    expect(await states(first)).toEqual(['viewer', 'viewer', 'viewer'])
    expect(await states(second)).toEqual(['viewer', 'viewer', 'viewer'])

    const path = '/api/organizations/current/users'
    await expectOk(home.call(`DELETE /api/KeyAuth/keys/${disabled.id}`))
    await expectOk(home.call(`DELETE ${path}/${removed!.username}`))
    await expectOk(home.call(`PUT ${path}/${promoted!.username}`, { body: { role: 'editor' } }))
    expect(await states(first)).toEqual([401, 401, 'editor'])
    time += limits.cacheMs
    expect(await states(second)).toEqual([401, 401, 'editor'])
  })

  test('a new member can call at once, even if the organization is cached without them', async () => {
    const clock = { now: () => new Date(0) }
    const frozen = caller(withProbes(await startService({ clock })))
    const ask = (key: string) => frozen('GET /api/probe', { key, organization: parent.id })
    expect((await ask(await parent.key('administrator'))).status).toBe(200)
    const { key } = await keyOfNewUser(service, parent, 'viewer')
    expect((await ask(key)).status).toBe(200)
  })

  test('a failed lookup is not cached', async () => {
    const other = caller(withProbes(await startService()))
    const id = `t-${crypto.randomUUID()}`
    const ask = () => other('GET /api/probe', { key: OPERATOR_KEY, ...inOrganization(id) })
    expect((await ask()).body).toEqual(ORGANIZATION_NOT_FOUND)
    await expectOk(operator('POST /api/organizations', { body: { id, name: id } }))
    expect((await ask()).status).toBe(200)
  })
})

test('a key expires at its time', async () => {
  let time = Date.now()
  const timed = await startService({ clock: { now: () => new Date(time) } })
  const ask = (key: string) => caller(withProbes(timed))('GET /api/probe', { key })
  const expires = new Date(time + 60_000).toISOString()
  const { key } = await keyOfNewUser(service, parent, 'viewer', { expires })
  expect((await ask(key)).status).toBe(200)
  time += 60_000
  expect((await ask(key)).status).toBe(401)
})

test.each([{}, { allOrganizations: true }])(
  'the old keys of a user who joins again stay invalid: %o',
  async (extra) => {
    const { username, key } = await keyOfNewUser(service, parent, 'viewer', extra)
    const path = `/api/organizations/current/users/${username}`
    const ask = async () => (await probe('GET /api/probe', { key, organization: parent.id })).status
    expect(await ask()).toBe(200)
    await expectOk(parent.call(`DELETE ${path}`))
    expect(await ask()).toBe(401)
    await expectOk(parent.call(`PUT ${path}`, { body: { role: 'viewer' } }))
    expect(await ask()).toBe(401)
    const { keys } = (await expectOk(parent.call('GET /api/KeyAuth/keys'))).body
    const own = keys.filter((one: { username: string }) => one.username === username)
    expect(own.map((one: { enabled: boolean }) => one.enabled)).toEqual([false])
  },
)

test('a search or import key can call only the operations for its type', async () => {
  for (const type of ['search', 'import'] as const) {
    const key = await parent.key('administrator', type)
    expect((await probe('GET /api/probe', { key })).status).toBe(200)
    for (const line of [
      'GET /api/organizations',
      'GET /api/organizations/current',
      'GET /api/KeyAuth/keys',
      `DELETE /api/KeyAuth/keys/x`,
    ]) {
      const { status, body } = await probe(line, { key })
      expect([line, status, body.success]).toEqual([line, 403, false])
    }
  }
})
