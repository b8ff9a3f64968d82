import { beforeAll, describe, expect, test } from 'vitest'
import { caller, newOrganization } from '../support/client.ts'
import { expectSpent, flood, monthIn, newShop, statesIn } from '../support/credits.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let other: TestService
beforeAll(async () => {
  service = await startService()
  other = await startService()
})

const REMAINING = 'x-search-credits-remaining'

describe('an organization with search credits', () => {
  test('spends one for each answered search, and then gets 402', async () => {
    const shop = await newShop(service, { searchCredits: 3 })
    const { call } = shop.org
    for (const left of ['2', '1', '0']) {
      const answer = await call(shop.line, { body: {} })
      expect([answer.status, answer.headers.get(REMAINING)]).toEqual([200, left])
      expect(answer.body.total).toBe(1)
    }
    for (const line of [shop.line, shop.line.replace('search', 'search/simple')]) {
      const refused = await call(line, { body: {} })
      expect([refused.status, refused.headers.get(REMAINING)]).toEqual([402, '0'])
      expect(refused.body).toMatchObject({ success: false, id: null })
      expect(refused.body.message).toMatch(/^The 3 search credits of this month are used up/)
    }
    await expectSpent(service, shop, 3)
  })

  test('is not charged for other operations or failed searches', async () => {
    const shop = await newShop(service, { searchCredits: 5 })
    const { call } = shop.org
    const catalog = shop.line.split('?')[1]
    expect((await call(`POST /api/search/count?${catalog}`, { body: {} })).status).toBe(200)
    expect((await call(`GET /api/search/metadata?${catalog}`)).status).toBe(200)
    expect((await call(`GET /api/search/quicksearch?${catalog}&search=d`)).status).toBe(200)
    const { status, headers } = await call(shop.line, { body: { cursor: 'nonsense' } })
    expect([status, headers.get(REMAINING)]).toEqual([400, null])
    expect((await call('POST /api/search?catalog=none', { body: {} })).status).toBe(404)
    await service.services.background.settled()
    await expectSpent(service, shop, 0)
    const answer = await call(shop.line, { body: { page: 1 } })
    expect([answer.status, Number(answer.headers.get(REMAINING))]).toEqual([200, 4])
    await expectSpent(service, shop, 1)
  })

  test('spends exactly 20 of 20 credits with 64 clients on two instances', async () => {
    const shop = await newShop(service, { searchCredits: 20 })
    const keys = await Promise.all([shop.org.key('viewer', 'search'), shop.org.key('editor')])
    const calls = [service, other].flatMap((one) =>
      keys.map((key) => caller(one, { key, organization: shop.org.id })),
    )
    const { answers, statuses } = await flood(shop.line, calls, 64)
    const { 200: answered = 0, 402: refused = 0, 503: slow = 0 } = statuses
    expect(answered).toBeLessThanOrEqual(20)
    expect(answered + slow).toBeGreaterThanOrEqual(20)
    expect(answered + refused + slow).toBe(64)
    const left = answers.filter(({ status }) => status === 200)
    const remaining = new Set(left.map(({ headers }) => headers.get(REMAINING)))
    expect(remaining.size).toBeGreaterThanOrEqual(answered - slow)
    // A slow machine may answer some with 503, whose credits are given back.
    for (const one of [service, other]) await one.services.background.settled()
    const rest = []
    for (let n = answered; n < 20; n++) rest.push(await calls[0]!(shop.line, { body: {} }))
    expect(rest.filter(({ status }) => status !== 200)).toEqual([])
    await expectSpent(service, shop, 20)
    const { statuses: after } = await flood(shop.line, calls, 8)
    expect(after).toEqual({ 402: 8 })
    await expectSpent(other, shop, 20)
  })

  test('gets bundles if it has them configured, which are recorded', async () => {
    const limits = { searchCredits: 2, additionalCreditBundle: 5, additionalCreditCost: 9.5 }
    const shop = await newShop(service, limits)
    const elsewhere = caller(other, {
      key: await shop.org.key('viewer'),
      organization: shop.org.id,
    })
    const { statuses } = await flood(shop.line, [shop.org.call, elsewhere], 14)
    expect(statuses).toEqual({ 200: 14 })
    await expectSpent(service, shop, 14)
    const { body } = await shop.org.call('GET /api/organizations/current/usage')
    expect(body).toMatchObject({
      searchCreditsRemaining: 3,
      bundles: [{ credits: 5, cost: 9.5, count: 3 }],
    })
    await shop.give({ additionalCreditBundle: 0 })
    await expect.poll(async () => (await shop.org.call(shop.line, { body: {} })).status).toBe(402)
  })

  test('has the credits that an operator adds within two seconds', async () => {
    const shop = await newShop(service, { searchCredits: 0 })
    expect((await shop.org.call(shop.line, { body: {} })).status).toBe(402)
    await shop.give({ searchCredits: 1 })
    const { status, headers } = await shop.org.call(shop.line, { body: {} })
    expect([status, headers.get(REMAINING)]).toEqual([200, '0'])
    await shop.give({ searchCredits: null })
    const free = await shop.org.call(shop.line, { body: {} })
    expect([free.status, free.headers.get(REMAINING)]).toEqual([200, null])
  })

  test('shares its credits with children that have none of their own', async () => {
    const shop = await newShop(service, { searchCredits: 2 })
    const child = await newOrganization(service, shop.org.id)
    const own = await newShop(service, { searchCredits: 1 }, shop.org.id)
    const statuses = async (calls: readonly (() => Promise<{ status: number }>)[]) => {
      const all: number[] = []
      for (const one of calls) all.push((await one()).status)
      return all
    }
    const search = (call: typeof child.call) => () => call(shop.line, { body: {} })
    expect(
      await statuses([
        search(child.call),
        search(shop.org.call),
        search(child.call),
        search(own.org.call),
        search(own.org.call),
      ]),
    ).toEqual([200, 200, 402, 200, 402])
    await expect
      .poll(async () => [
        (await monthIn(service, shop.org.id))?.holds,
        (await statesIn(service, child.id)).answered,
        (await statesIn(service, shop.org.id)).answered,
        (await statesIn(service, own.org.id)).answered,
      ])
      .toEqual([[], 1, 1, 1])
    expect((await monthIn(service, shop.org.id))?.taken).toBe(2)
    expect(await monthIn(service, child.id)).toBeUndefined()
  })

  test('starts with full credits at midnight of the first day of the month, in UTC', async () => {
    let time = new Date('2031-01-31T23:59:59.900Z')
    const late = await startService({ clock: { now: () => time } })
    const shop = await newShop(late, { searchCredits: 1 })
    const search = async () => (await shop.org.call(shop.line, { body: {} })).status
    expect([await search(), await search()]).toEqual([200, 402])
    time = new Date('2031-02-01T00:00:00.000Z')
    expect([await search(), await search()]).toEqual([200, 402])
    const used = async (query: string) =>
      (await shop.org.call(`GET /api/organizations/current/usage${query}`)).body
    await expect.poll(async () => (await used('')).searchCreditsUsed).toBe(1)
    expect(await used('')).toMatchObject({ year: 2031, month: 2, searchCreditsRemaining: 0 })
    const january = { year: 2031, month: 1, searchCreditsUsed: 1, searchCreditsRemaining: null }
    await expect.poll(() => used('?year=2031&month=1')).toMatchObject(january)
    expect(await used('?month=3')).toMatchObject({ month: 3, searchCreditsUsed: 0, users: {} })
    await late.stop()
  })
})
