import { beforeAll, describe, expect, test } from 'vitest'
import { caller, expectOk, OPERATOR_KEY } from '../support/client.ts'
import { newShop } from '../support/credits.ts'
import { roundTrips } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})

/** As long as usage/record-usage.ts collects searches for one write. */
const GATHER_MS = 500
const USAGE = 'GET /api/organizations/current/usage'
const use = (count: number) => ({ searchCreditsUsed: count, searchCount: count })

describe('Search Usage', () => {
  test.each(['1.0', '6.0'])('counts by user and by key (%s)', async (version) => {
    const { org, line } = await newShop(service)
    const search = async (call: typeof org.call, times: number) => {
      for (let at = 0; at < times; at++) {
        const { status, headers } = await call(line, { body: {}, version })
        expect([status, headers.get('x-search-credits-remaining')]).toEqual([200, null])
      }
    }
    const viewer = await org.key('viewer')
    const shop = await org.key('viewer', 'search')
    await search(org.call, 1)
    await search(caller(service, { key: viewer }), 2)
    await search(caller(service, { key: shop }), 3)
    await search((given, parts) => org.call(given.replace('search', 'search/simple'), parts), 1)
    await org.call(line.replace('search', 'search/count'), { body: {}, version })
    await org.call(line, { body: { pageSize: 1_000 }, version })
    const now = new Date()
    await expect
      .poll(async () => (await org.call(USAGE, { version })).body)
      .toEqual({
        users: { administrator: use(2), viewer: use(5) },
        apiKeys: { 'administrator full': use(2), 'viewer full': use(2), 'viewer search': use(3) },
        searchCreditsUsed: 7,
        year: now.getUTCFullYear(),
        month: now.getUTCMonth() + 1,
        searchCreditsRemaining: null,
        bundles: [],
      })
    const past = await org.call(`${USAGE}?year=2020&month=2`, { version })
    expect(past.body).toMatchObject({ users: {}, apiKeys: {}, searchCreditsUsed: 0, year: 2020 })
  })

  test('shows a key of another organization by its id alone', async () => {
    const [home, visited] = [await newShop(service), await newShop(service)]
    for (const { org } of [home, visited]) {
      await expectOk(org.call('PUT /api/organizations/current/users/guest', { body: {} }))
    }
    const operator = caller(service, { key: OPERATOR_KEY, organization: home.org.id })
    const made = await expectOk(
      operator('POST /api/KeyAuth/keys', {
        body: { username: 'guest', name: 'Secret project', allOrganizations: true },
      }),
    )
    const guest = caller(service, { key: made.body.key, organization: visited.org.id })
    await expectOk(guest(visited.line, { body: {} }))
    const keysOf = async ({ org }: typeof home) =>
      Object.keys((await expectOk(org.call(USAGE))).body.apiKeys)
    await expect.poll(() => keysOf(visited)).toEqual([made.body.id])
  })

  test('writes many searches with few requests, and loses none at a stop', async () => {
    const busy = await startService()
    const { org, line } = await newShop(busy)
    const search = async () => {
      for (let at = 0; at < 30; at++) await org.call(line, { body: {} })
      await busy.stop()
    }
    const began = performance.now()
    const writes = await roundTrips(
      busy,
      search,
      ({ path, body }) => path === '/_bulk' && /-usage-/.test(`${body}`),
    )
    // One write per interval, however long the searches take on this machine.
    const gathered = 1 + Math.ceil((performance.now() - began) / GATHER_MS)
    expect(writes).toBeGreaterThan(0)
    expect(writes).toBeLessThanOrEqual(Math.min(gathered, 29))
    const key = await org.key('administrator')
    const call = caller(service, { key })
    await expect.poll(async () => (await call(USAGE)).body.searchCreditsUsed).toBe(30)
  })

  test.each([
    ['?month=13', /^month: /],
    ['?month=0', /^month: /],
    ['?year=1&month=1', /^year: /],
    ['?year=2026', 'month: required with year'],
    ['?year=x&month=1', /^year: /],
    ['?month=1.5', /^month: /],
  ])('%s is refused', async (query, message) => {
    const { org } = await newShop(service)
    const { status, body } = await org.call(`${USAGE}${query}`)
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)])
  })

  test('is only for administrators', async () => {
    const { org } = await newShop(service)
    expect((await (await org.as('editor'))(USAGE)).status).toBe(403)
  })
})
