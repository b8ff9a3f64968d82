import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { voidAbandoned } from '../../src/usage/sweep.ts'
import { caller } from '../support/client.ts'
import { expectSpent, flood, monthIn, newShop, type Shop, statesIn } from '../support/credits.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'

let proxy: FaultProxy
let service: TestService
let other: TestService
beforeAll(async () => {
  proxy = await startFaultProxy(inject('elasticsearch').node)
  service = await startService({ node: proxy.node })
  other = await startService()
})
afterEach(() => proxy.set('none'))
afterAll(() => proxy.close())

const isLedger = (line: string) => /credits\/_(doc|create)/.test(line)
const isEntry = (line: string) => line.startsWith('POST /_bulk')
const isSearchLine = /products\/_search/
const isSearch = (line: string) => isSearchLine.test(line)

describe('search credits', () => {
  test('delay a search by no more than work that runs beside it', async () => {
    const shop = await newShop(service, { searchCredits: 100 })
    const free = await newShop(service)
    const trips = async ({ org, line }: Shop) => {
      await org.call(line, { body: {} })
      await service.services.background.settled()
      proxy.set('none')
      // Another search than before, whose answer is cached.
      await org.call(line, { body: { highPrice: 1_000 } })
      return proxy.requests().filter((one) => isSearch(one) || isEntry(one) || isLedger(one))
    }
    expect(await trips(free)).toEqual([expect.stringMatching(isSearchLine)])
    const beside = [isSearchLine, /credits\/_doc/, /_bulk/].map((line) =>
      expect.stringMatching(line),
    )
    const lines = await trips(shop)
    expect(lines).toHaveLength(3)
    expect(lines).toEqual(expect.arrayContaining(beside))
  })

  test('charge every answered search exactly once if 5 % of all answers are lost', async () => {
    const shop = await newShop(service, { searchCredits: 100 })
    proxy.set('dropAnswer', () => Math.random() < 0.05)
    const calls = [shop.org.call]
    const counts = { ok: 0, exhausted: 0 }
    for (let round = 0; round < 8; round++) {
      const { statuses } = await flood(shop.line, calls, 16)
      counts.ok += statuses[200] ?? 0
      counts.exhausted += statuses[402] ?? 0
      const foreign = Object.keys(statuses).filter((one) => !['200', '402', '503'].includes(one))
      expect(foreign).toEqual([])
    }
    proxy.set('none')
    expect(counts.ok).toBeGreaterThan(50)
    expect(counts.ok).toBeLessThanOrEqual(100)
    await expectSpent(service, shop, counts.ok)
  })

  test.each([
    ['the credits', isLedger],
    ['the entries', isEntry],
  ])('with an outage of %s: return 503 and charge nothing', async (_, matches) => {
    const shop = await newShop(service, { searchCredits: 2 })
    expect((await shop.org.call(shop.line, { body: {} })).status).toBe(200)
    for (const fault of ['down', 'busy', 'refuse', 'hang'] as const) {
      proxy.set(fault, matches)
      const started = performance.now()
      const { status, headers } = await shop.org.call(shop.line, { body: {} })
      expect([status, headers.get('retry-after')]).toEqual([503, expect.any(String)])
      expect(performance.now() - started).toBeLessThan(2 * limits.requestMs)
      proxy.set('none')
      await service.services.background.settled()
      await expectSpent(service, shop, 1)
    }
    expect((await shop.org.call(shop.line, { body: {} })).status).toBe(200)
    expect((await shop.org.call(shop.line, { body: {} })).status).toBe(402)
  })

  test('leave no open reservation for a search without credits, even if the answer was lost', async () => {
    const shop = await newShop(service, { searchCredits: 0 })
    proxy.set('dropAnswer', isEntry)
    expect((await shop.org.call(shop.line, { body: {} })).status).toBe(402)
    await expect.poll(() => proxy.requests().filter(isEntry).length).toBeGreaterThan(1)
    proxy.set('none')
    await expect.poll(() => statesIn(other, shop.org.id)).toEqual({ void: 1 })
  })

  test('are returned after an outage of the search, which gets 503', async () => {
    const shop = await newShop(service, { searchCredits: 1 })
    proxy.set('down', isSearch)
    for (let at = 0; at < 3; at++) {
      expect((await shop.org.call(shop.line, { body: {} })).status).toBe(503)
      await service.services.background.settled()
      await expectSpent(service, shop, 0)
    }
    proxy.set('none')
    expect((await shop.org.call(shop.line, { body: {} })).status).toBe(200)
    await expectSpent(service, shop, 1)
  })

  test('reserved by a killed instance are released by another one', async () => {
    const shop = await newShop(other, { searchCredits: 10 })
    const key = await shop.org.key('viewer')
    const doomedProxy = await startFaultProxy(inject('elasticsearch').node)
    const doomed = await startService({ node: doomedProxy.node })
    const call = caller(doomed, { key })
    expect((await call(shop.line, { body: {} })).status).toBe(200)
    await expectSpent(other, shop, 1)
    doomedProxy.set('hang', isSearch)
    const unanswered = Array.from({ length: 4 }, () => call(shop.line, { body: {} }))
    await expect.poll(async () => (await monthIn(other, shop.org.id))?.holds.length).toBe(4)
    // From now on it cannot reach Elasticsearch, as if its process were dead.
    doomedProxy.set('refuse')
    const statuses = (await Promise.all(unanswered)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([503]))
    expect((await monthIn(other, shop.org.id))?.taken).toBe(5)
    await sweepUntilEmpty(shop)
    await expectSpent(other, shop, 1)
    await doomedProxy.close()
  })

  test('stay spent if a sweep runs before they are settled', async () => {
    const shop = await newShop(service, { searchCredits: 10 })
    // The entry is marked, but its hold cannot be released.
    let writes = 0
    proxy.set('refuse', (line) => isLedger(line) && line.startsWith('PUT') && ++writes > 1)
    expect((await shop.org.call(shop.line, { body: {} })).status).toBe(200)
    await expect.poll(async () => (await monthIn(other, shop.org.id))?.holds.length).toBe(1)
    await sweepUntilEmpty(shop)
    expect((await monthIn(other, shop.org.id))?.taken).toBe(1)
    proxy.set('none')
    await expectSpent(service, shop, 1)
  })
})

/** Sweeps as another instance does within a minute. */
async function sweepUntilEmpty(shop: Shop) {
  const started = Date.now()
  let ahead = 0
  const clock = { now: () => new Date(started + ahead) }
  const services = { ...other.services, clock }
  await expect
    .poll(
      async () => {
        // Without a bound: sweeps of the services forget when a hold was seen first.
        ahead += 5_000
        await voidAbandoned(services)
        return (await monthIn(other, shop.org.id))?.holds
      },
      { interval: 200 },
    )
    .toEqual([])
}
