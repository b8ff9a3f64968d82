import { beforeAll, describe, expect, test } from 'vitest'
import { newSecret } from '../../src/keys/key-text.ts'
import { inOrganization, keyOfNewUser, ORGANIZATION_NOT_FOUND } from '../support/access.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { mostUnderWay, roundTrips, withProbes } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let probe: Call
let operator: Call
let parent: TestOrganization
let child: TestOrganization
let sibling: TestOrganization
let stranger: TestOrganization

beforeAll(async () => {
  service = await startService({ idle: true })
  probe = caller(withProbes(service))
  operator = caller(service, { key: OPERATOR_KEY })
  parent = await newOrganization(service)
  stranger = await newOrganization(service)
  child = await newOrganization(service, parent.id)
  sibling = await newOrganization(service, parent.id)
})

const UNKNOWN = 'no-such-organization'

describe('a credential', () => {
  test('is accepted in either header', async () => {
    const key = await parent.key('viewer')
    expect((await probe('GET /api/probe', { key })).status).toBe(200)
    expect((await probe('GET /api/probe', { headers: { 'x-api-key': key } })).status).toBe(200)
  })

  test('identifies the caller', async () => {
    const { body } = await probe('GET /api/probe', { key: await parent.key('editor', 'search') })
    expect(body).toMatchObject({
      caller: {
        username: 'editor',
        role: 'editor',
        parentRole: null,
        keyType: 'search',
        boundTo: parent.id,
      },
      organization: {
        id: parent.id,
        parent: null,
        defaultCatalog: null,
        catalogLimit: null,
        credits: null,
      },
    })
  })

  test('returns the same 401 whether it is missing, malformed, unknown, disabled, expired or without its user', async () => {
    const disabled = await keyOfNewUser(service, parent, 'viewer')
    await expectOk(parent.call(`DELETE /api/KeyAuth/keys/${disabled.id}`))
    const removed = await keyOfNewUser(service, parent, 'viewer')
    await expectOk(parent.call(`DELETE /api/organizations/current/users/${removed.username}`))
    const good = await parent.key('viewer')
    const keys = [
      null,
      'x',
      'aisle_full_',
      'x'.repeat(32),
      'x'.repeat(5_000),
      newSecret('full'),
      `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
      disabled.key,
      removed.key,
    ]
    const answers = await Promise.all(keys.map((key) => probe('GET /api/probe', { key })))
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 401))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers[0]!.headers.get('www-authenticate')).toBe('Bearer')
    expect(answers[0]!.body).toMatchObject({ success: false, id: null, taskId: null })
  })

  test('is refused without a lookup if its checksum is wrong', async () => {
    const good = newSecret('full')
    const bad = good.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const ask = (key: string) => roundTrips(service, () => probe('GET /api/probe', { key }))
    expect(await ask(bad)).toBe(0)
    expect(await ask(good)).toBe(1)
  })

  test('is cached: another request costs no round trip', async () => {
    const key = await parent.key('viewer')
    // The clock stands still, however slow the machine is.
    const now = new Date()
    const still = await startService({ idle: true, clock: { now: () => now } })
    const by = caller(withProbes(still))
    const ask = () => by('GET /api/probe', { key, ...inOrganization(parent.id, child.id) })
    await expectOk(ask())
    expect(await roundTrips(still, () => expectOk(ask()))).toBe(0)
  })

  test('is looked up once for 64 concurrent requests', async () => {
    const { key } = await keyOfNewUser(service, stranger, 'viewer')
    const trips = await roundTrips(service, () =>
      Promise.all(Array.from({ length: 64 }, () => expectOk(probe('GET /api/probe', { key })))),
    )
    expect(trips).toBeLessThanOrEqual(2)
  })
})

describe('the organization in effect', () => {
  test('is that of the key, one of its children, or the one that the headers name', async () => {
    const key = await parent.key('administrator')
    const seen = async (parts: object) =>
      (await expectOk(probe('GET /api/probe', { key, ...parts }))).body.organization.id
    expect(await seen({})).toBe(parent.id)
    expect(await seen(inOrganization(parent.id))).toBe(parent.id)
    expect(await seen(inOrganization(child.id))).toBe(child.id)
    expect(await seen(inOrganization(parent.id, child.id))).toBe(child.id)
    expect(await seen({ headers: { 'x-suborganization': child.id } })).toBe(child.id)
  })

  test('inherits its parent’s default catalog until it has its own', async () => {
    const top = await newOrganization(service)
    const below = await newOrganization(service, top.id)
    const seen = async () => {
      const { body } = await expectOk(probe('GET /api/probe', { key, ...inOrganization(below.id) }))
      return body.organization.defaultCatalog
    }
    const key = await top.key('viewer')
    await expectOk(top.call('POST /api/Catalog', { body: { name: 'all' } }))
    await expectOk(below.call('POST /api/Catalog', { body: { name: 'own' } }))
    await expectOk(top.call('PUT /api/organizations/current', { body: { defaultCatalog: 'all' } }))
    expect(await seen()).toBe('all')
    await expectOk(
      below.call('PUT /api/organizations/current', { body: { defaultCatalog: 'own' } }),
    )
    expect(await seen()).toBe('own')
  })

  test('returns the same 404 whether it is foreign, missing or malformed', async () => {
    const key = await child.key('administrator')
    const ids = [
      UNKNOWN,
      stranger.id,
      parent.id,
      sibling.id,
      child.id.toUpperCase(),
      '*',
      '..',
      `${child.id}/`,
      'a'.repeat(10_000),
    ]
    for (const id of ids) {
      for (const path of ['GET /api/probe', 'GET /api/probe/outside']) {
        const { status, body } = await probe(path, { key, ...inOrganization(id) })
        expect([id, status, body]).toEqual([id, 404, ORGANIZATION_NOT_FOUND])
      }
    }
  })

  test('of somebody else is not read again for those who ask for it', async () => {
    const [foreign, own] = [await stranger.key('viewer'), await parent.key('viewer')]
    const now = new Date()
    const still = await startService({ idle: true, clock: { now: () => now } })
    const by = caller(withProbes(still))
    const ask = (key: string) => expectOk(by('GET /api/probe', { key }))
    const asks = [() => ask(foreign), () => ask(own)]
    for (const one of asks) await one()
    const reads = await roundTrips(
      still,
      async () => {
        for (let turn = 0; turn < 3; turn++) {
          const { status } = await by('GET /api/probe', {
            key: own,
            ...inOrganization(stranger.id),
          })
          expect(status).toBe(404)
          for (const one of asks) await one()
        }
      },
      ({ path }) => path.includes('organizations/_doc/'),
    )
    expect(reads).toBe(0)
  })

  test('must be a child of the organization if it is named as a suborganization', async () => {
    const key = await parent.key('administrator')
    for (const [first, second] of [
      [parent.id, parent.id],
      [parent.id, stranger.id],
      [parent.id, UNKNOWN],
      [child.id, child.id],
      [child.id, sibling.id],
      [stranger.id, child.id],
    ]) {
      const { status, body } = await probe('GET /api/probe', {
        key,
        ...inOrganization(first!, second),
      })
      expect([status, body]).toEqual([404, ORGANIZATION_NOT_FOUND])
    }
  })

  test('gives a parent’s role in its children, if that is the stronger one, but not the reverse', async () => {
    const { username, key } = await keyOfNewUser(service, parent, 'viewer')
    await expectOk(
      child.call(`PUT /api/organizations/current/users/${username}`, { body: { role: 'editor' } }),
    )
    const seen = async (secret: string, id: string) => {
      const { body } = await expectOk(
        probe('GET /api/probe', { key: secret, ...inOrganization(id) }),
      )
      return [body.caller.role, body.caller.parentRole]
    }
    expect(await seen(key, child.id)).toEqual(['editor', 'viewer'])
    expect(await seen(key, sibling.id)).toEqual(['viewer', 'viewer'])
    expect(await seen(key, parent.id)).toEqual(['viewer', null])

    const bound = await expectOk(
      operator('POST /api/KeyAuth/keys', { organization: child.id, body: { username } }),
    )
    expect(await seen(bound.body.key, child.id)).toEqual(['editor', null])
  })
})

describe('a foreign organization', () => {
  test.each([{}, { allOrganizations: true }])(
    'costs the same number of reads as a missing one, for a key with %o',
    async (extra) => {
      const { key } = await keyOfNewUser(service, parent, 'viewer', extra)
      // The clock stands still, so that nothing expires from the cache.
      const now = new Date()
      const still = await startService({ idle: true, clock: { now: () => now } })
      const theirs = await stranger.key('viewer')
      const by = caller(withProbes(still))
      const ask = async (parts: object) => {
        // Its own users are cached at this moment.
        await expectOk(by('GET /api/probe', { key: theirs }))
        await by('GET /api/probe', { key, ...inOrganization('another') })
        await expectOk(by('GET /api/probe', { key, ...inOrganization(parent.id) }))
        return roundTrips(still, async () => {
          const { status, body } = await by('GET /api/probe', { key, ...parts })
          expect([status, body]).toEqual([404, ORGANIZATION_NOT_FOUND])
        })
      }
      for (const of of [inOrganization, (id: string) => inOrganization(parent.id, id)]) {
        const [foreign, missing] = [await ask(of(stranger.id)), await ask(of(UNKNOWN))]
        expect([foreign, missing]).toEqual([foreign, foreign])
        expect(foreign).toBeGreaterThan(0)
      }
    },
  )
})

describe('an operator key', () => {
  test('requires x-organization only if there are several organizations', async () => {
    const inside = await probe('GET /api/probe', { key: OPERATOR_KEY })
    expect([inside.status, inside.body.message]).toEqual([
      400,
      'x-organization: required because this key does not have access to exactly one organization',
    ])
    const outside = await expectOk(probe('GET /api/probe/outside', { key: OPERATOR_KEY }))
    expect(outside.body).toMatchObject({ caller: { role: 'operator' }, organization: null })
    const alone = { key: OPERATOR_KEY, headers: { 'x-suborganization': child.id } }
    expect((await probe('GET /api/probe/outside', alone)).status).toBe(400)
  })

  test('can access every organization', async () => {
    const { body } = await expectOk(
      probe('GET /api/probe', { key: OPERATOR_KEY, ...inOrganization(parent.id, child.id) }),
    )
    expect(body).toMatchObject({
      caller: { username: 'operator', role: 'operator', parentRole: 'operator', boundTo: null },
      organization: { id: child.id, parent: parent.id },
    })
    const missing = await probe('GET /api/probe', { key: OPERATOR_KEY, ...inOrganization(UNKNOWN) })
    expect([missing.status, missing.body]).toEqual([404, ORGANIZATION_NOT_FOUND])
  })
})

describe('a key for all organizations', () => {
  test('can access only its user’s organizations and their children', async () => {
    const { username, key } = await keyOfNewUser(service, parent, 'editor', {
      allOrganizations: true,
    })
    const seen = (parts: object) => probe('GET /api/probe', { key, ...parts })
    expect((await expectOk(seen({}))).body.organization.id).toBe(parent.id)
    expect((await expectOk(seen(inOrganization(child.id)))).body.caller.parentRole).toBe('editor')
    expect((await seen(inOrganization(stranger.id))).body).toEqual(ORGANIZATION_NOT_FOUND)

    await expectOk(
      stranger.call(`PUT /api/organizations/current/users/${username}`, {
        body: { role: 'viewer' },
      }),
    )
    expect((await expectOk(seen({}))).body.organization.id).toBe(parent.id)
    expect((await expectOk(seen(inOrganization(parent.id)))).body.caller.role).toBe('editor')
    expect((await expectOk(seen(inOrganization(stranger.id)))).body.caller.role).toBe('viewer')

    await expectOk(stranger.call(`DELETE /api/organizations/current/users/${username}`))
    expect((await seen(inOrganization(stranger.id))).body).toEqual(ORGANIZATION_NOT_FOUND)
    expect((await expectOk(seen({}))).body.organization.id).toBe(parent.id)
  })

  test('ends with the membership that it was created for, even if its user has others', async () => {
    const { username, key } = await keyOfNewUser(service, parent, 'editor', {
      allOrganizations: true,
    })
    await expectOk(
      stranger.call(`PUT /api/organizations/current/users/${username}`, {
        body: { role: 'viewer' },
      }),
    )
    const seen = (organization: string) =>
      probe('GET /api/probe', { key, ...inOrganization(organization) })
    expect((await seen(stranger.id)).status).toBe(200)
    await expectOk(parent.call(`DELETE /api/organizations/current/users/${username}`))
    expect((await seen(stranger.id)).status).toBe(401)
    expect((await seen(parent.id)).status).toBe(401)
  })
})

test('an organization that a key does not reach is looked for twice, since access may be new', async () => {
  const key = await parent.key('viewer')
  const looks = await roundTrips(
    service,
    async () => {
      expect((await probe('GET /api/probe', { key, organization: UNKNOWN })).status).toBe(404)
    },
    ({ path }) => path.includes('organizations/_search'),
  )
  expect(looks).toBe(2)
})

test('organizations that a key does not reach are looked for two at a time', async () => {
  const key = await parent.key('viewer')
  // As long as nothing is found, their size is unknown, and such searches take turns anyway.
  await expectOk(probe('GET /api/probe', { key, organization: child.id }))
  const most = await mostUnderWay(
    service,
    () =>
      Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          probe('GET /api/probe', { key, organization: `o-${at}` }),
        ),
      ),
    ({ path }) => path.includes('organizations/_search'),
  )
  expect(most).toBe(2)
})

test('visitors of a page who look for many do not hold up the other keys of its organization', async () => {
  const [visitor, own] = [await parent.key('viewer', 'search'), await parent.key('viewer')]
  let done = 0
  const visits = Array.from({ length: 60 }, async (_, at) => {
    await probe('GET /api/probe', { key: visitor, organization: `visited-${at}` })
    done++
  })
  await probe('GET /api/probe', { key: own, organization: 'missing' })
  expect(done).toBeLessThan(30)
  await Promise.all(visits)
})
