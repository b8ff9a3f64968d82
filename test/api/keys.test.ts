import { beforeAll, describe, expect, test, vi } from 'vitest'
import { bulk } from '../../src/elastic/bulk.ts'
import { term } from '../../src/elastic/clauses.ts'
import { collection } from '../../src/elastic/collection.ts'
import type { Key } from '../../src/keys/key.ts'
import { limits } from '../../src/limits.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
  untilAccepted,
} from '../support/client.ts'
import { outcome } from '../support/organizations.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let operator: Call
let organization: TestOrganization
let stranger: TestOrganization

beforeAll(async () => {
  service = await startService()
  operator = caller(service, { key: OPERATOR_KEY })
  organization = await newOrganization(service)
  stranger = await newOrganization(service)
})

const generate = (call: Call, body: object = {}) => call('POST /api/KeyAuth/keys', { body })
const disable = (call: Call, id: string) => call(`DELETE /api/KeyAuth/keys/${id}`)
const keysOf = async (call: Call) => (await expectOk(call('GET /api/KeyAuth/keys'))).body.keys

/** Calls of a new user of the organization, with the user's own key. */
async function newUser(home: TestOrganization, role: string, extra: object = {}) {
  const username = `u-${crypto.randomUUID()}`
  await expectOk(home.call(`PUT /api/organizations/current/users/${username}`, { body: { role } }))
  const { body } = await expectOk(
    operator('POST /api/KeyAuth/keys', { organization: home.id, body: { username, ...extra } }),
  )
  return { username, id: body.id as string, call: caller(service, { key: body.key }) }
}

describe.each(['1.0', '6.0'])('revision %s', (version) => {
  test('generates a key, lists it without its secret, and disables it', async () => {
    const { call, username } = await newUser(organization, 'viewer')
    const made = await call('POST /api/KeyAuth/keys', {
      version,
      body: { name: 'shop', keyType: 'search', origins: ['https://shop.example'] },
    })
    expect([made.status, made.body]).toEqual([
      200,
      { id: expect.any(String), success: true, error: null, key: expect.any(String) },
    ])
    expect(made.body.key).toMatch(/^aisle_search_[0-9a-f]{48}_[0-9a-f]{8}$/)
    const listed = await call('GET /api/KeyAuth/keys', { version })
    expect(listed.body.keys[0]).toEqual({
      id: made.body.id,
      name: 'shop',
      keyType: 'search',
      username,
      enabled: true,
      createDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      prefix: made.body.key.slice(0, 'aisle_search_'.length + 8),
      allOrganizations: false,
      origins: ['https://shop.example'],
      catalogs: null,
      filter: null,
      hide: [],
      rate: null,
      priceList: null,
      cache: null,
      defaultVersion: '6.0',
      expires: null,
      lastUsed: null,
    })
    expect(JSON.stringify(listed.body)).not.toContain(made.body.key)
    const ended = await call(`DELETE /api/KeyAuth/keys/${made.body.id}`, { version })
    expect([ended.status, ended.body]).toEqual([
      200,
      { success: true, message: 'Key disabled.', id: made.body.id, taskId: null },
    ])
    const after = await call('GET /api/KeyAuth/keys', { version })
    expect(after.body.keys[0]).toMatchObject({ id: made.body.id, enabled: false })
  })
})

describe('Generate API Key', () => {
  test('creates a full key without type or name', async () => {
    const { call } = await newUser(organization, 'viewer')
    for (const body of [{}, { keyType: null, name: null }, { keyType: '', name: '' }]) {
      const answer = await expectOk(generate(call, body))
      expect(answer.body.key).toMatch(/^aisle_full_/)
    }
    expect((await keysOf(call))[0]).toMatchObject({ keyType: 'full', name: 'full key' })
  })

  test.each([
    [{ keyType: 'admin' }, 'keyType: must be one of full, search, import'],
    [{ name: 'x'.repeat(201) }, /^name: /],
    [{ name: 7 }, /^name: /],
    [{ username: 'a b' }, /^username: must begin/],
    [{ origins: ['https://shop.example'] }, 'origins: only allowed for search keys'],
    [{ keyType: 'search', origins: [] }, 'origins: list at least one, or omit it'],
    [{ keyType: 'search', origins: ['*'] }, /^origins\[0\]: must be an origin such as/],
    [{ keyType: 'search', origins: ['https://shop.example/x'] }, /^origins\[0\]: /],
    [{ keyType: 'search', origins: ['javascript:alert(1)'] }, /^origins\[0\]: /],
    [{ keyType: 'search', origins: Array(21).fill('https://a.example') }, /^origins: /],
    [{ expires: '2001-01-01T00:00:00Z' }, 'expires: must be in the future'],
    [{ expires: 'tomorrow' }, /^expires: /],
    [{ expires: '9999-12-31T23:59:59-01:00' }, 'expires: must be before the year 10000 in UTC'],
    [{ keyType: 'search', allOrganizations: true }, 'allOrganizations: only allowed for full keys'],
    [{ keyType: 'search', indexes: ['shop'] }, 'indexes: unknown field; known: name, keyType'],
    [{ catalogs: ['shop'] }, 'catalogs: only allowed for search keys'],
    [{ keyType: 'import', hide: ['public'] }, 'hide: only allowed for search keys'],
    [{ keyType: 'search', catalogs: ['shop'] }, 'catalogs[0]: catalog not found'],
    [{ keyType: 'search', hide: ['price'] }, /^hide\[0\]: must be one of vendors.vendorName/],
    [
      { keyType: 'search', filter: { must: [{ type: 'keyword', value: 'x' }] } },
      /^filter: criteria of type keyword are not allowed/,
    ],
    [
      { keyType: 'search', filter: { must: [{ type: 'facet', value: 'x' }] } },
      'filter.must[0].name: required for type facet',
    ],
    [{ keytype: 'search' }, 'keytype: unknown field; did you mean "keyType"?'],
    [{ enabled: false }, 'enabled: a new key is always enabled; omit it'],
  ])('refuses %j', async (body, message) => {
    const answer = await generate(organization.call, body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(message)
  })

  test('is only for administrators if it is for another user', async () => {
    const { call } = await newUser(organization, 'editor')
    expect(outcome(await generate(call, { username: 'viewer' }))).toEqual([
      403,
      'Generating a key for another user requires the role administrator.',
    ])
    const made = await expectOk(generate(organization.call, { username: 'viewer' }))
    const asViewer = caller(service, { key: made.body.key })
    expect((await asViewer('PUT /api/organizations/current', { body: {} })).status).toBe(403)
  })

  test('returns the same for a user of another organization as for an unknown one', async () => {
    const { username } = await newUser(stranger, 'viewer')
    for (const name of [username, 'nobody']) {
      const answer = await generate(organization.call, { username: name })
      expect(outcome(answer)).toEqual([404, 'User not found.'])
    }
  })

  test('creates a key in a child for a member of the parent', async () => {
    const child = await newOrganization(service, organization.id)
    const { username } = await newUser(organization, 'editor')
    // Its administrator is no user of the parent, and cannot act for one.
    expect(outcome(await generate(child.call, { username }))).toEqual([404, 'User not found.'])
    await expectOk(child.call(`PUT /api/organizations/current/users/${username}`, { body: {} }))
    expect(outcome(await generate(child.call, { username }))).toEqual([404, 'User not found.'])
    const above: Call = (line, parts) =>
      organization.call(line, { ...parts, organization: child.id })
    const made = await expectOk(generate(above, { username }))
    const call = caller(service, { key: made.body.key })
    expect((await call('GET /api/organizations/current')).body.id).toBe(child.id)
    expect(
      (await call('GET /api/organizations/current', { organization: organization.id })).status,
    ).toBe(404)
  })

  test('creates no key for all organizations through a user of the same name', async () => {
    const { username } = await newUser(stranger, 'administrator')
    await expectOk(
      organization.call(`PUT /api/organizations/current/users/${username}`, {
        body: { role: 'administrator' },
      }),
    )
    const bound = await expectOk(generate(organization.call, { username }))
    const asThem = caller(service, { key: bound.body.key })
    for (const [call, body] of [
      [organization.call, { username, allOrganizations: true }],
      [asThem, { allOrganizations: true }],
    ] as const) {
      const answer = await generate(call, body)
      expect([answer.status, answer.body.message]).toEqual([
        403,
        expect.stringMatching(/^Only an operator, or the same user/),
      ])
    }
    const { status } = await asThem('GET /api/organizations/current', {
      organization: stranger.id,
    })
    expect(status).toBe(404)
  })

  test('creates keys for all organizations only for operators and callers with such a key', async () => {
    const { username } = await newUser(organization, 'administrator')
    const first = await expectOk(
      operator('POST /api/KeyAuth/keys', {
        organization: organization.id,
        body: { username, allOrganizations: true },
      }),
    )
    const call = caller(service, { key: first.body.key })
    const second = await generate(call, { allOrganizations: true })
    expect(second.status).toBe(200)
    expect(outcome(await generate(call, { username: 'viewer', allOrganizations: true }))[0]).toBe(
      403,
    )
    const listed = await keysOf(call)
    expect(listed.find(({ id }: { id: string }) => id === second.body.id)).toMatchObject({
      allOrganizations: true,
    })
  })

  test('uses the organization in which the calling key was created by default', async () => {
    const { username, call } = await newUser(organization, 'viewer', { allOrganizations: true })
    await expectOk(
      stranger.call(`PUT /api/organizations/current/users/${username}`, {
        body: { role: 'viewer' },
      }),
    )
    const made = await expectOk(generate(call, { name: 'at home' }))
    const names = async (parts: object) =>
      (await expectOk(call('GET /api/KeyAuth/keys', parts))).body.keys.map(
        (one: { id: string }) => one.id,
      )
    expect(await names({})).toContain(made.body.id)
    expect(await names({ organization: stranger.id })).toEqual([])
  })

  test('creates an operator key for an operator, listed only for operators', async () => {
    const made = await expectOk(generate(operator, { name: 'second' }))
    const second = caller(service, { key: made.body.key })
    const isIt = ({ id }: { id: string }) => id === made.body.id
    expect((await keysOf(second)).find(isIt)).toMatchObject({
      username: 'operator',
      name: 'second',
      allOrganizations: true,
    })
    expect((await keysOf(organization.call)).some(isIt)).toBe(false)
    expect(outcome(await disable(organization.call, made.body.id))).toEqual([
      404,
      'API key not found.',
    ])
    expect(outcome(await generate(operator, { keyType: 'search' }))).toEqual([
      400,
      'keyType: an operator key must be of type full',
    ])
    expect((await generate(operator, { username: 'anna' })).status).toBe(400)
    const inside = { organization: organization.id }
    const nameless = await operator('POST /api/KeyAuth/keys', { ...inside, body: {} })
    expect(outcome(nameless)).toEqual([
      400,
      'username: required because an operator is not a member of the organization; name one of its users, or add one first',
    ])
    expect((await disable(operator, made.body.id)).status).toBe(200)
    expect((await second('GET /api/KeyAuth/keys')).status).toBe(401)
  })

  test(`allows ${limits.keysPerUser} valid keys per user`, async () => {
    const { call } = await newUser(organization, 'viewer')
    for (let left = limits.keysPerUser - 1; left > 0; left -= 11) {
      await Promise.all(Array.from({ length: 11 }, () => expectOk(generate(call))))
    }
    const refused = await generate(call)
    expect(refused.status).toBe(400)
    expect(refused.body.message).toMatch(
      /has 100 keys in this organization. Disable one to generate another/,
    )
    const [newest] = await keysOf(call)
    await expectOk(disable(call, newest.id))
    expect((await generate(call)).status).toBe(200)
  })

  test('reads no keys of earlier memberships, which may be many and large', async () => {
    const { elastic } = service.services
    const { id, call } = await newUser(organization, 'viewer')
    const keys = collection<Key>(elastic, { kind: 'keys', scope: [] })
    const [own] = await keys.find({ query: term('id', id), size: 1 })
    const former = Array.from({ length: limits.keysPerUser }, (_, at) => ({
      ...own!,
      id: `${id} ${at}`,
      hash: `${own!.hash} ${at}`,
      membership: 'former',
    }))
    await bulk(
      elastic,
      former.map((key) => keys.bulkItem(key.hash, key)),
      { refresh: true },
    )
    const searched = vi.spyOn(elastic.client, 'search')
    expect((await generate(call)).status).toBe(200)
    const answers = await Promise.all(searched.mock.results.map(({ value }) => value))
    // The background of the service searches, too.
    const ofKeys = answers.filter((_, at) =>
      JSON.stringify(searched.mock.calls[at]![0]).includes(elastic.indexName('keys')),
    )
    searched.mockRestore()
    const read = ofKeys.flatMap(({ hits, body }) => (hits ?? body.hits).hits)
    expect([ofKeys.length > 0, read]).toEqual([true, []])
  })
})

describe('Get and Disable API Key', () => {
  test('return and disable the caller’s own keys; for an administrator all of the organization', async () => {
    const home = await newOrganization(service)
    const [one, two] = [await newUser(home, 'viewer'), await newUser(home, 'editor')]
    const idsOf = async (call: Call) => (await keysOf(call)).map(({ id }: { id: string }) => id)
    expect(await idsOf(one.call)).toEqual([one.id])
    expect(await idsOf(home.call)).toEqual(expect.arrayContaining([one.id, two.id]))
    expect(outcome(await disable(two.call, one.id))).toEqual([404, 'API key not found.'])
    expect((await one.call('GET /api/KeyAuth/keys')).status).toBe(200)
    await expectOk(disable(home.call, one.id))
    expect((await one.call('GET /api/KeyAuth/keys')).status).toBe(401)
    await expectOk(disable(home.call, one.id))
  })

  test('return the same for a foreign key as for a missing one', async () => {
    const { id } = await newUser(stranger, 'viewer')
    const [foreign, missing] = [
      await disable(organization.call, id),
      await disable(organization.call, crypto.randomUUID()),
    ]
    expect([foreign.status, foreign.body]).toEqual([
      404,
      { success: false, message: 'API key not found.', id: null, taskId: null },
    ])
    expect([missing.status, missing.body]).toEqual([foreign.status, foreign.body])
  })

  test('list newest first', async () => {
    const { call } = await newUser(organization, 'viewer')
    for (const name of ['a', 'b', 'c']) await expectOk(generate(call, { name }))
    const names = (await keysOf(call)).map(({ name }: { name: string }) => name)
    expect(names.slice(0, 3)).toEqual(['c', 'b', 'a'])
  })

  test('list as many of many long keys as fit into an answer, newest first', async () => {
    const { call } = await newUser(organization, 'viewer')
    const value = '漢'.repeat(640)
    const must = Array.from({ length: 100 }, (_, at) => ({ type: 'facet', name: `f${at}`, value }))
    const bytes = Buffer.byteLength(JSON.stringify(must))
    const wanted = Math.ceil(limits.answerBytes / bytes) + 1
    let last = ''
    for (let made = 0; made < wanted; made++) {
      const body = { name: `long ${made}`, keyType: 'search', filter: { must } }
      last = (await expectOk(generate(call, body))).body.id
    }
    const listed = await keysOf(call)
    expect(listed[0].id).toBe(last)
    expect(listed.length).toBeLessThan(wanted)
    expect(listed.length).toBeGreaterThan(wanted / 2)
    // The newest keys do not determine whether older ones fit on the page.
    const short = Array.from({ length: 20 }, () => generate(call, { keyType: 'search', name: 's' }))
    await Promise.all(short.map(expectOk))
    const withShort = await keysOf(call)
    expect(withShort.length).toBeLessThan(wanted + 20)
    expect(withShort.length).toBeGreaterThan(wanted / 2 + 20)
  })

  test('disable exactly the requested ones of 64 keys concurrently', async () => {
    const home = await newOrganization(service)
    const made: Awaited<ReturnType<typeof generate>>[] = []
    while (made.length < 64) {
      const some = Array.from({ length: 8 }, () => generate(home.call, { username: 'viewer' }))
      made.push(...(await Promise.all(some.map(expectOk))))
    }
    const half = made.slice(0, 32)
    // A request that waits too long for the others is told to try again.
    const disabled = await Promise.all(
      half.map(({ body }) => untilAccepted(() => disable(home.call, body.id))),
    )
    expect(new Set(disabled.map(({ answer }) => answer.status))).toEqual(new Set([200]))
    const statuses = await Promise.all(
      made.map(({ body }) =>
        caller(service, { key: body.key })('GET /api/organizations/current').then(
          ({ status }) => status,
        ),
      ),
    )
    expect(statuses).toEqual(made.map((_, n) => (n < 32 ? 401 : 200)))
  })
})
