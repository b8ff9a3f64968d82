import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, caller, newOrganization, type TestOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})

/** Products whose names determine their order. */
const PRODUCTS = [
  { id: 'D-1', name: 'Drill' },
  { id: 'D-2', name: 'Drill for wood and stone' },
  { id: 'S-1', name: 'Saw' },
]

interface Shop {
  readonly org: TestOrganization
  readonly catalog: string
  /** Calls with the search key of its pages. */
  readonly page: Call
  search(body: object, call?: Call, headers?: Record<string, string>): Promise<string>
  choose(body: object, call?: Call): ReturnType<Call>
  /** Waits until a report has the expected content. */
  until(path: string, expected: object): Promise<void>
}

async function newShop(): Promise<Shop> {
  const org = await newOrganization(service)
  const catalog = await seedCatalog(service, org, PRODUCTS)
  const page = caller(service, { key: await org.key('viewer', 'search') })
  const reports = await org.as('editor')
  return {
    org,
    catalog,
    page,
    async search(body, call = page, headers = {}) {
      const line = `POST /api/search/simple?catalog=${catalog}`
      const answer = await call(line, { body: { analytics: true, ...body }, headers })
      expect(answer.status).toBe(200)
      return answer.body.searchId
    },
    choose: (body, call = page) => call('POST /api/search/choice', { body }),
    until: (path, expected) =>
      expect
        .poll(async () => (await reports(`GET /api/reporting/searches${path}`)).body)
        .toMatchObject(expected),
  }
}

const today = () => new Date().toISOString().slice(0, 10)

describe('search reports', () => {
  test('show queries, results and choices', async () => {
    const { org, catalog, page, search, choose, until } = await newShop()
    const first = await search({ keywords: 'Drill' })
    await search({ keywords: ' drill  ' })
    await search({ keywords: 'saw' })
    await search({ keywords: 'xylophone' })
    await search({ keywords: 'drill', analytics: undefined })
    await search({ keywords: 'secret', analytics: false })
    await search({ keywords: 'crawled' }, page, { 'user-agent': 'Examplebot/2.1' })
    for (const kind of [undefined, 'click', 'cart']) {
      for (let times = 0; times < 2; times++) {
        const { status } = await choose({ searchId: first, productId: 'D-2', kind })
        expect(status).toBe(200)
      }
    }
    const drill = {
      query: 'drill',
      searches: 3,
      withoutResults: 0,
      trackedSearches: 2,
      chosen: 1,
      converted: 1,
      clicks: 1,
      carts: 1,
      purchases: 0,
      clickThroughRate: 0.5,
      conversionRate: 0.5,
      clickPosition: 2,
    }
    const none = { chosen: 0, converted: 0, clicks: 0, carts: 0, clickPosition: null }
    const saw = { query: 'saw', searches: 1, withoutResults: 0, clickThroughRate: 0, ...none }
    const xylophone = { query: 'xylophone', searches: 1, withoutResults: 1, ...none }
    const totals = { searches: 5, withoutResults: 1, trackedSearches: 4, clickThroughRate: 0.25 }
    await until('', { totals, catalog: null, queries: [drill, saw, xylophone] })
    await until('?limit=1', { totals, queries: [drill] })
    await until('?kind=withoutResults', { queries: [xylophone] })
    await until('?kind=notChosen', { queries: [saw] })
    await until(`/days?catalog=${catalog}&from=${today()}`, {
      catalog,
      totals,
      days: [{ day: today(), searches: 5, withoutResults: 1, clicks: 1 }],
    })
    await until('?to=2020-02-29', { from: '2020-01-31', totals: { searches: 0 }, queries: [] })
    const csv = await org.call('GET /api/reporting/searches?format=csv&kind=notChosen')
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.body).toBe(
      'query,searches,withoutResults,trackedSearches,chosen,converted,clicks,carts,purchases,' +
        'clickThroughRate,conversionRate,clickPosition\r\nsaw,1,0,1,0,0,0,0,0,0,0,\r\n',
    )
    const days = await org.call('GET /api/reporting/searches/days?format=csv')
    expect(days.body.trim().split('\r\n')).toHaveLength(31)
    expect(days.body).toContain(`\r\n${today()},5,1,4,1,1,1,1,0,0.25,0.25,2\r\n`)
  })

  test('count a query once with its final text, across instances', async () => {
    const { org, search, until } = await newShop()
    const other = await startService()
    const key = await org.key('viewer', 'search')
    const instances = [caller(service, { key }), caller(other, { key })]
    const type = async (texts: readonly string[], visitor: string) => {
      for (const [at, keywords] of texts.entries()) {
        await search({ keywords, typing: true, visitor }, instances[at % 2])
      }
    }
    await type(['d', 'dr', 'dri', 'dril', 'drill'], 'a')
    await type(['dri', 'drill', 'drill b', 'drill bit'], 'b')
    await type(['saw', 'sawd'], 'c')
    await search({ keywords: 'sawdust', visitor: 'c' })
    const queries = ['drill', 'drill bit', 'sawdust'].map((query) => ({ query, searches: 1 }))
    await until('', { totals: { searches: 3 }, queries })
    await other.stop()
  })

  test('choose the most frequent of very many queries by a sample, and count them exactly', async () => {
    const { search, until } = await newShop()
    for (let times = 0; times < 20; times++) await search({ keywords: 'drill' })
    const rare = ['viola', 'xylophone', 'yodel', 'zither']
    for (const keywords of ['saw', ...rare]) await search({ keywords })
    await until('', { totals: { searches: 25 } })
    const { countedEvents } = limits
    onTestFinished(() => void Object.assign(limits, { countedEvents }))
    Object.assign(limits, { countedEvents: 10 })
    const withoutResults = 0
    const queries = [{ query: 'drill', searches: 20, withoutResults }]
    await until('?limit=1', { totals: { searches: 25, withoutResults: 4 }, queries })
    // There are few of these, so none is left out.
    const none = rare.map((query) => ({ query, withoutResults: 1 }))
    await until('?kind=withoutResults', { queries: none })
    await until('?to=2020-02-29', { totals: { searches: 0 }, queries: [] })
  })

  test('count choices from later pages, but not in the rates', async () => {
    const { search, choose, until } = await newShop()
    const searchId = await search({ keywords: 'drill', page: 1, pageSize: 1 })
    await choose({ searchId, productId: 'D-2', kind: 'purchase' })
    await choose({ searchId, productId: 'D-2' })
    const totals = { searches: 0, chosen: 0, clicks: 1, purchases: 1, clickPosition: 2 }
    await until('', { totals, queries: [] })
  })

  test('belong to an organization: a parent’s has no searches of its children', async () => {
    const { org, catalog, until } = await newShop()
    const child = await newOrganization(service, org.id)
    await child.call(`POST /api/search?catalog=${catalog}`, { body: { keywords: 'drill' } })
    await expect
      .poll(async () => (await child.call('GET /api/reporting/searches')).body.totals.searches)
      .toBe(1)
    await until('', { totals: { searches: 0 }, queries: [] })
  })

  test('are for editors with a key of their own', async () => {
    const { org, page } = await newShop()
    for (const path of ['', '/days']) {
      const line = `GET /api/reporting/searches${path}`
      expect((await page(line)).status).toBe(403)
      expect((await (await org.as('viewer'))(line)).status).toBe(403)
    }
  })

  test.each([
    ['from=2026-02-01&to=2026-01-01', 'from: must not be after to'],
    ['from=0000-01-01&to=0000-12-31', 'from: must be after the year 0'],
    ['from=2020-01-01', 'from: a report covers at most 366 days'],
    ['to=yesterday', /^to: /],
    ['limit=1001', /^limit: /],
    ['kind=rare', /^kind: /],
    ['format=xml', /^format: /],
  ])('refuse %s', async (query, message) => {
    const { call } = await newOrganization(service)
    const { status, body } = await call(`GET /api/reporting/searches?${query}`)
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)])
  })
})

describe('Report Choice', () => {
  test('accepts only its own searches and their products', async () => {
    const { search, choose } = await newShop()
    const searchId = await search({ keywords: 'drill' })
    const foreign = await (await newShop()).search({ keywords: 'drill' })
    const forged = `${searchId.slice(0, -4)}AAAA`
    for (const wrong of [foreign, forged, 'x']) {
      const { status, body } = await choose({ searchId: wrong, productId: 'D-1' })
      expect([status, body.message]).toEqual([
        400,
        'searchId: unknown; send the `searchId` of a search response',
      ])
    }
    const { status, body } = await choose({ searchId, productId: 'S-1' })
    const message = 'productId: not among the products of that response'
    expect([status, body.message]).toEqual([400, message])
  })

  test('is accepted within a week of the search', async () => {
    let days = 0
    const clock = { now: () => new Date(Date.now() + days * 24 * 60 * 60 * 1000) }
    const later = await startService({ clock, idle: true })
    const { org, search } = await newShop()
    const searchId = await search({ keywords: 'drill' })
    const call = caller(later, { key: await org.key('viewer') })
    const choose = () => call('POST /api/search/choice', { body: { searchId, productId: 'D-1' } })
    days = 6
    expect((await choose()).status).toBe(200)
    days = 8
    const { status, body } = await choose()
    expect([status, body.message]).toEqual([400, expect.stringMatching(/too old/)])
    await later.stop()
  })

  test('is possible only if the search requested a searchId', async () => {
    const { search } = await newShop()
    expect(await search({ analytics: null })).toBeUndefined()
    expect(await search({ analytics: false })).toBeUndefined()
  })
})

describe('popularity', () => {
  /** Ids in the order of a search through an instance that has learned the choices. */
  const ordered = (shop: Shop, call: Call) => async (body: object) => {
    const line = `POST /api/search/simple?catalog=${shop.catalog}`
    return (await call(line, { body })).body.products.map(({ id }: { id: string }) => id)
  }

  test('ranks equally matching products, weighted by the catalog’s settings', async () => {
    const shop = await newShop()
    const { org, catalog, search, choose, until } = shop
    const byName = ['D-1', 'D-2', 'S-1']
    const add = `POST /api/Catalog/${catalog}/products/S-1/addToWorkspace/kitchen`
    for (let times = 0; times < 2; times++) expect((await org.call(add)).status).toBe(200)
    for (let times = 0; times < 2; times++) {
      const searchId = await search({ keywords: 'drill' })
      await choose({ searchId, productId: 'D-2', kind: 'cart' })
    }
    await choose({ searchId: await search({ keywords: 'drill' }), productId: 'D-1' })
    await until('', { totals: { carts: 2, clicks: 1 } })
    // A new instance has learned nothing yet, and does so after its first search.
    const fresh = await startService()
    const call = caller(fresh, { key: await org.key('administrator') })
    const ids = ordered(shop, call)
    await expect.poll(() => ids({ sort: 'popularity' })).toEqual(['D-2', 'S-1', 'D-1'])
    expect(await ids({})).toEqual(byName)
    expect(await ids({ sort: 'popularity', cursor: '*' })).toEqual(byName)
    const set = async (signals: object) => {
      const line = `PUT /api/Catalog/${catalog}/search/ranking`
      const { status } = await org.call(line, { body: { signals } })
      expect(status).toBe(200)
    }
    expect(await ids({ keywords: 'drill' })).toEqual(['D-2', 'D-1'])
    const explained = await call(`POST /api/search?catalog=${catalog}`, {
      body: { keywords: 'drill', explain: true },
    })
    const popular = { kind: 'signal', name: 'popularity', score: 0.3 }
    expect(explained.body.products[0].explanation.parts).toContainEqual(popular)
    await set({ withoutKeywords: true })
    await expect.poll(() => ids({})).toEqual(['D-2', 'S-1', 'D-1'])
    expect(await ids({ boost: [{ type: 'partNumber', value: 'S-1' }] })).toEqual([
      'S-1',
      'D-2',
      'D-1',
    ])
    expect(await ids({ cursor: '*' })).toEqual(byName)
    await set({ popularity: 0, withoutKeywords: true })
    await expect.poll(() => ids({})).toEqual(byName)
    expect(await ids({ keywords: 'drill' })).toEqual(['D-1', 'D-2'])
    const stranger = await newOrganization(service, org.id)
    const theirs = ordered(shop, caller(fresh, { key: await stranger.key('viewer') }))
    await set({ popularity: 1 })
    await fresh.services.background.settled()
    for (let times = 0; times < 2; times++) {
      expect(await theirs({ sort: 'popularity' })).toEqual(byName)
      await fresh.services.background.settled()
    }
    await fresh.stop()
  })
})
