import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { caller, expectOk, newOrganization } from '../support/client.ts'
import { newShop, type Shop } from '../support/credits.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startService()
  shop = await newShop(service)
})

const SAVED = '/api/search/saved'
const page = (name: string) => `/api/organizations/current/columns/${name}`

describe.each(['1.0', '6.0'])('saved searches (%s)', (version) => {
  test('are returned unchanged, and can be run', async () => {
    const call = await shop.org.as('viewer')
    const put = (name: string, body: object) =>
      call(`PUT ${SAVED}/${name}?catalog=${shop.catalog}`, { version, body })
    const search = {
      keywords: 'desk',
      inStock: false,
      highPrice: null,
      must: [{ type: 'manufacturer', value: 'HP' }],
      filters: [{ name: 'Weight', max: 3 }],
      sort: 'price',
    }
    expect((await put('my%20%2F%20desks', search)).body).toEqual({
      success: true,
      message: 'Search saved.',
      id: 'my / desks',
      taskId: null,
    })
    await put('all', { page: 2, time: '2026-01-01T00:00:00Z' })
    await put('all', { page: 3 })
    const { body } = await call(`GET ${SAVED}`, { version })
    expect(body.items).toEqual([
      { name: 'all', catalog: shop.catalog, search: { page: 3 } },
      { name: 'my / desks', catalog: shop.catalog, search },
    ])
    for (const item of body.items) {
      const line = `POST /api/search?catalog=${item.catalog}`
      expect((await call(line, { version, body: item.search })).status).toBe(200)
    }
    const gone = await call(`DELETE ${SAVED}/all`, { version })
    expect([gone.status, gone.body.message]).toEqual([200, 'Saved search deleted.'])
    expect((await call(`DELETE ${SAVED}/all`, { version })).status).toBe(404)
    expect((await call(`GET ${SAVED}`, { version })).body.items).toHaveLength(1)
  })
})

describe('saved searches', () => {
  test('belong to the user, in the organization in effect', async () => {
    const editor = await shop.org.as('editor')
    await editor(`PUT ${SAVED}/mine?catalog=${shop.catalog}`, { body: {} })
    const again = caller(service, { key: await shop.org.key('editor') })
    expect((await again(`GET ${SAVED}`)).body.items).toHaveLength(1)
    const child = await newOrganization(service, shop.org.id)
    const others = [
      await shop.org.as('administrator'),
      await child.as('editor'),
      await (await newOrganization(service)).as('editor'),
    ]
    for (const other of others) {
      expect((await other(`GET ${SAVED}`)).body.items).toEqual([])
      const missing = await other(`DELETE ${SAVED}/mine`)
      expect(missing.body.message).toBe('Saved search not found.')
    }
    const key = await shop.org.key('editor', 'search')
    expect((await caller(service, { key })(`GET ${SAVED}`)).status).toBe(403)
  })

  test.each([
    ['x', { pageSize: 251 }, 400, /^pageSize: /],
    ['x', { must: [{ type: 'colour', value: 'red' }] }, 400, /^must\[0\]\.type: /],
    ['x', { lowPrice: 3, highPrice: 2 }, 400, /rice/],
    ['x', { cursor: 'middle-of-a-walk' }, 400, /^cursor: /],
    ['x', [], 400, /^body: /],
    ['n'.repeat(201), {}, 400, /^name: /],
    ['a%00b', {}, 400, /./],
  ])(
    'are refused if they cannot be searched or stored (%#)',
    async (name, body, status, message) => {
      const answer = await shop.org.call(`PUT ${SAVED}/${name}?catalog=${shop.catalog}`, { body })
      expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)])
    },
  )

  test('require an existing catalog, by default the default one', async () => {
    const lost = await shop.org.call(`PUT ${SAVED}/x?catalog=none`, { body: {} })
    expect([lost.status, lost.body.message]).toEqual([404, 'Catalog not found.'])
    expect((await shop.org.call(`PUT ${SAVED}/x`, { body: {} })).status).toBe(400)
    const other = await newShop(service)
    await other.give({ defaultCatalog: other.catalog })
    await other.org.call(`PUT ${SAVED}/x`, { body: {} })
    const { body } = await other.org.call(`GET ${SAVED}`)
    expect(body.items).toEqual([{ name: 'x', catalog: other.catalog, search: {} }])
  })

  test('of many concurrent requests on two instances are all stored, up to the limit', async () => {
    const key = await shop.org.key('viewer')
    const other = caller(await startService(), { key })
    const calls = [caller(service, { key }), other]
    await Promise.all(
      (await calls[0]!(`GET ${SAVED}`)).body.items.map(({ name }: { name: string }) =>
        calls[0]!(`DELETE ${SAVED}/${encodeURIComponent(name)}`),
      ),
    )
    const put = (n: number) =>
      calls[n % 2]!(`PUT ${SAVED}/s${n}?catalog=${shop.catalog}`, { body: { page: n } })
    for (const from of [0, 40, 80]) {
      const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => put(from + n)))
      const kept = answers.filter(({ status }) => status === 200).length
      expect(kept).toBe(from === 80 ? limits.savedSearches - 80 : 40)
      const refused = answers.filter(({ status }) => status !== 200)
      for (const { status, body } of refused) {
        expect([status, body.message]).toEqual([400, expect.stringMatching(/^You have 100 saved/)])
      }
    }
    const { items } = (await other(`GET ${SAVED}`)).body
    expect(items).toHaveLength(limits.savedSearches)
    for (const { name, search } of items) expect(name).toBe(`s${search.page}`)
    expect((await put(items[0].search.page)).status).toBe(200)
  })
})

describe.each(['1.0', '6.0'])('columns (%s)', (version) => {
  test('are stored by page and user, in order', async () => {
    const call = await shop.org.as('editor')
    expect((await call(`GET ${page('results')}`, { version })).body).toEqual([])
    const names = ['price', 'name', '__proto__', 'Größe, "außen"']
    const saved = await call(`PUT ${page('results')}`, { version, body: names })
    expect([saved.status, saved.body.message]).toEqual([200, 'Columns saved.'])
    await call(`PUT ${page('__proto__')}`, { version, body: ['x'] })
    expect((await call(`GET ${page('results')}`, { version })).body).toEqual(names)
    expect((await call(`GET ${page('__proto__')}`, { version })).body).toEqual(['x'])
    expect((await shop.org.call(`GET ${page('results')}`, { version })).body).toEqual([])
    await call(`PUT ${page('results')}`, { version, body: [] })
    expect((await call(`GET ${page('results')}`, { version })).body).toEqual([])
  })
})

describe('columns', () => {
  test.each([
    [Array.from({ length: 10_000 }, (_, n) => `c${n}`), 'body: at most 200 names'],
    [['x'.repeat(201)], /^body\[0\]: /],
    [[''], /^body\[0\]: /],
    [[7], /^body\[0\]: /],
    [['a', 'a'], 'body: a name is listed twice'],
    [{ names: [] }, /^body: /],
    [null, /^body: /],
  ])('are refused if they are not a short list of names (%#)', async (body, message) => {
    const answer = await shop.org.call(`PUT ${page('results')}`, { body })
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)])
  })

  test('are refused if they are too large together, as saved searches are', async () => {
    const { org, catalog } = await newShop(service)
    const { call } = org
    const names = Array.from({ length: 200 }, (_, n) => `${n}`.padEnd(195, 'ä'))
    const put = (n: number) => call(`PUT ${page(`large${n}`)}`, { body: names })
    for (const n of [1, 2, 3]) await expectOk(put(n))
    const refused = await put(4)
    const must = Array.from({ length: 90 }, () => ({
      type: 'manufacturer',
      value: 'w'.repeat(1_000),
    }))
    const save = (n: number) =>
      call(`PUT ${SAVED}/large${n}?catalog=${catalog}`, { body: { must } })
    for (const n of [1, 2]) await expectOk(save(n))
    for (const { status, body } of [refused, await save(3)]) {
      expect([status, body.message]).toEqual([
        400,
        expect.stringContaining('262144 bytes together'),
      ])
    }
  })

  test('are refused for too many pages', async () => {
    const call = await shop.org.as('administrator')
    const put = (n: number, body: string[]) => call(`PUT ${page(`p${n}`)}`, { body })
    const all = Array.from({ length: limits.columnPages }, (_, n) => put(n, ['a']))
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
    const { status, body } = await put(999, ['a'])
    expect([status, body.message]).toEqual([
      400,
      expect.stringMatching(/^You have saved columns for 50/),
    ])
    await put(0, [])
    expect((await put(999, ['a'])).status).toBe(200)
  })
})
