import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { keyOfNewUser } from '../support/access.ts'
import {
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

const BY_KEY = 20
/** Address of an attacker, which somebody else shares. */
const ADDRESS = '198.51.100.1'

let service: TestService
let organization: TestOrganization
beforeAll(async () => {
  const clock = { now: () => new Date(1_900_000_000_000) }
  service = await startService({ clock, rates: { byAddress: 100, byKey: BY_KEY } })
  organization = await newOrganization(service)
})
afterAll(() => service?.stop())

const list = (key: string, of = organization.id, address = ADDRESS) =>
  service.fetch(
    new Request('http://localhost/api/Catalog', {
      headers: { 'x-api-version': '6.0', 'x-api-key': key, 'x-organization': of },
    }),
    address,
  )
const statuses = async (times: number, answer: () => Promise<Response>) => {
  const seen: number[] = []
  for (let i = 0; i < times; i++) seen.push((await answer()).status)
  return seen
}

test('a key has its own rate, unaffected by other requests from its address', async () => {
  const [good, another] = [await organization.key('viewer'), await organization.key('editor')]
  expect((await list(good)).status).toBe(200)

  const strangers = await statuses(100, () => list(`aisle_full_${'0'.repeat(48)}_00000000`))
  expect(new Set(strangers)).toEqual(new Set([401, 429]))
  expect((await list(another)).status).toBe(429)

  const most = BY_KEY * limits.rateSeconds - 1
  expect(await statuses(most, () => list(good))).toEqual(Array(most).fill(200))
  const refused = await list(good)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(await refused.json()).toMatchObject({ message: expect.stringContaining('this key') })
})

test('searches in one request count separately', async () => {
  const key = await organization.key('viewer', 'search')
  const many = (count: number) =>
    service.fetch(
      new Request('http://localhost/api/search/many', {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ requests: Array(count).fill({}) }),
      }),
      '198.51.100.2',
    )
  const most = BY_KEY * limits.rateSeconds
  expect(await statuses(most / 20, () => many(20))).toEqual(Array(most / 20).fill(200))
  expect((await many(1)).status).toBe(429)
})

test('a made-up token of a punchout session counts as an invalid key does', async () => {
  const session = () => {
    const token = randomBytes(24).toString('base64url')
    const url = `http://localhost/api/KeyAuth/punchout/session/${token}`
    const request = new Request(url, { headers: { 'x-api-version': '6.0' } })
    return service.fetch(request, '198.51.100.6')
  }
  expect(await statuses(10, session)).toEqual(Array(10).fill(404))
  expect((await session()).status).toBe(429)
})

test('a request for an organization that the key does not reach counts as many', async () => {
  const key = await organization.key('administrator')
  let others = 0
  expect(await statuses(3, () => list(key, `other-${others++}`, '198.51.100.3'))).toEqual([
    404, 404, 429,
  ])
})

test('with a search key, which the visitors of a page share, it counts as two', async () => {
  const key = await organization.key('viewer', 'search')
  const search = (of: string) =>
    service.fetch(
      new Request('http://localhost/api/search/many', {
        method: 'POST',
        headers: { 'x-api-key': key, 'x-organization': of, 'content-type': 'application/json' },
        body: JSON.stringify({ requests: [{}] }),
      }),
      '198.51.100.4',
    )
  let others = 0
  const [foreign, own] = [10, 20]
  expect(await statuses(foreign, () => search(`other-${others++}`))).toEqual(
    Array(foreign).fill(404),
  )
  expect(await statuses(own, () => search(organization.id))).toEqual(Array(own).fill(200))
  expect((await search(organization.id)).status).toBe(429)
})

test('a request for an organization whose new member is not known yet counts once', async () => {
  const joined = await newOrganization(service)
  const { username, key } = await keyOfNewUser(service, organization, 'viewer', {
    allOrganizations: true,
  })
  // The clock stands still, so that this instance keeps the organization as it is now.
  expect((await list(await joined.key('viewer'), joined.id, '198.51.100.5')).status).toBe(200)
  const other = await startService()
  const operator = caller(other, { key: OPERATOR_KEY, organization: joined.id })
  const body = { role: 'viewer' }
  await expectOk(operator(`PUT /api/organizations/current/users/${username}`, { body }))
  await other.stop()
  const most = BY_KEY * limits.rateSeconds
  expect(await statuses(most, () => list(key, joined.id, '198.51.100.5'))).toEqual(
    Array(most).fill(200),
  )
  expect((await list(key, joined.id, '198.51.100.5')).status).toBe(429)
})
