import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { caller, expectOk } from '../support/client.ts'
import { newShop } from '../support/credits.ts'
import { requestsSent } from '../support/probe.ts'
import { isGeneration, type SearchBench, searchBench, searchesSent } from '../support/search.ts'

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench([
    {
      id: 'drill',
      name: 'Cordless drill',
      image: 'https://shop.example/drill.png',
      msrp: 99,
      attributes: { Colour: 'Blue', 'Max. torque': '60 Nm' },
      vendors: [
        { vendorName: 'Alpha', cost: 80, inStock: false, onHand: 0 },
        { vendorName: 'Beta', cost: 90, inStock: true, onHand: 3 },
      ],
    },
    { id: 'saw', name: 'Hand saw', msrp: 20 },
  ])
})

const drill = async (body: object) =>
  (await bench.search({ keywords: 'drill', ...body })).products[0]

describe('the fields parameter of a search', () => {
  test('selects the fields of each product, besides its id', async () => {
    expect(await drill({ fields: ['name', 'price', 'inStock', 'image'] })).toEqual({
      id: 'drill',
      name: 'Cordless drill',
      image: 'https://shop.example/drill.png',
      price: 80,
      inStock: true,
    })
    const inner = ['vendors.cost', 'attributes.Max. torque', 'favorite.user']
    expect(await drill({ fields: inner })).toEqual({
      id: 'drill',
      vendors: [{ cost: 80 }, { cost: 90 }],
      attributes: { 'Max. torque': '60 Nm' },
      favorite: { user: false },
    })
  })

  test('includes the price by which the product matched', async () => {
    const fields = ['price']
    expect(await drill({ fields, vendors: ['Beta'] })).toEqual({ id: 'drill', price: 90 })
    const { body } = await bench.at('POST', '/simple', { fields, keywords: 'saw' })
    expect(body.products).toEqual([{ id: 'saw', price: 20 }])
  })

  test('is refused for unknown fields, with similar ones', async () => {
    const refused = async (field: string) =>
      (await bench.at('POST', '', { fields: ['id', field] })).body.message
    expect(await refused('vendors.costs')).toBe(
      'fields[1]: unknown field "vendors.costs"; did you mean "vendors.cost"?',
    )
    expect(await refused('pictures')).toContain('unknown field "pictures"; known: id, description')
    expect(await refused('description.product')).toContain('unknown field "description.product"')
  })

  test('limits what is read of a product', async () => {
    const asked = await searchesSent(bench.service, () =>
      drill({ fields: ['name', 'vendors.cost'] }),
    )
    const own = asked.filter((body) => JSON.stringify(body).includes(bench.catalog))
    expect(own.filter((body) => !isGeneration(body)).map(({ _source }) => _source)).toEqual([
      [
        'product.groupId',
        'product.id',
        'product.name',
        'product.options',
        'product.vendors.cost',
        'product.vendors.vendorName',
      ],
    ])
  })

  test('can be combined with highlights, groups and favorites', async () => {
    const line = `PUT /api/Catalog/${bench.catalog}/products/drill/favorites/organization`
    expect((await bench.org.call(line)).status).toBe(200)
    const fields = ['favorite', 'highlight', 'group.variants']
    const shown = () => drill({ fields, highlight: true, group: true })
    await expect.poll(shown).toEqual({
      id: 'drill',
      favorite: { company: true, user: false },
      highlight: { name: 'Cordless <em>drill</em>' },
      group: { variants: 1 },
    })
  })
})

test('none of these ways reveals what a key cannot see', async () => {
  const body = { keyType: 'search', hide: ['public'], filter: { inStock: true } }
  const { key } = (await expectOk(bench.org.call('POST /api/KeyAuth/keys', { body }))).body
  const page = caller(bench.service, { key })
  const fields = ['vendors.cost', 'vendors.inStock', 'price']
  const shown = [
    {
      id: 'drill',
      vendors: [
        { cost: null, inStock: false },
        { cost: null, inStock: true },
      ],
      price: 99,
    },
  ]
  expect((await bench.at('POST', '', { fields }, page)).body.products).toEqual(shown)
  const many = await bench.at(
    'POST',
    '/many',
    { requests: [{ fields }, { vendors: ['Alpha'] }] },
    page,
  )
  expect(many.body.results[0].answer.products).toEqual(shown)
  expect(many.body.results[1].status).toBe(403)
  const address = await bench.at(
    'GET',
    `?key=${key}&fields=${fields}`,
    undefined,
    caller(bench.service),
  )
  expect(address.body.products).toEqual(shown)
})

describe('a compact answer', () => {
  test('omits members that are null or empty', async () => {
    const [saw] = (await bench.search({ keywords: 'saw', compact: true })).products
    expect(saw).toEqual({
      id: 'saw',
      name: 'Hand saw',
      catalog: bench.catalog,
      msrp: 20,
      updatedBy: expect.any(String),
      lastUpdated: expect.any(String),
      favorite: { company: false, user: false },
    })
  })

  test('is available for reads by id too, with selected fields', async () => {
    const line = `POST /api/Catalog/${bench.catalog}/retrieveProducts`
    const body = { ids: ['saw', 'drill'], fields: ['name', 'image', 'attributes.Colour'] }
    const retrieved = await bench.org.call(line, { body: { ...body, compact: true } })
    expect(retrieved.body).toEqual([
      { id: 'saw', name: 'Hand saw' },
      {
        id: 'drill',
        name: 'Cordless drill',
        image: 'https://shop.example/drill.png',
        attributes: { Colour: 'Blue' },
      },
    ])
    const refused = await bench.org.call(line, { body: { ids: [], fields: ['price'] } })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('fields[0]: unknown field "price"'),
    ])
  })
})

describe('concurrent searches of a page', () => {
  test('wait for their turn', async () => {
    const page = caller(bench.service, { key: await bench.org.key('viewer', 'search') })
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        bench.at('POST', '/simple', { keywords: `drill ${at}` }, page),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })
})

describe('several searches in one request', () => {
  const many = async (requests: readonly unknown[], query = `?catalog=${bench.catalog}`) =>
    bench.org.call(`POST /api/search/many${query}`, { body: { requests } })

  test('return what each returns by itself', async () => {
    const requests = [
      { keywords: 'drill', counts: true },
      { keywords: 'drlil', pageSize: 1 },
      { group: true, sort: 'price' },
      { keywords: 'saw', explain: true, includeMetadata: false },
      { cursor: '*', pageSize: 1, sort: 'name' },
    ]
    const { status, body } = await many(requests)
    expect(status).toBe(200)
    const alone = await Promise.all(requests.map((request) => bench.search(request)))
    for (const [at, answer] of alone.entries()) {
      const same = { ...answer, took: expect.any(Number) }
      if (answer.cursor) same.cursor = expect.any(String)
      expect(body.results[at]).toEqual({ status: 200, error: null, answer: same })
    }
  })

  test('fail independently', async () => {
    const { catalog } = bench
    const requests = [
      { keywords: 'saw', catalog },
      { catalog, pageSize: 251 },
      { catalog, keyword: 'saw' },
      'saw',
      { catalog: 'no-such-catalog' },
      { catalog, lowPrice: 2, highPrice: 1 },
    ]
    const { status, body } = await many(requests, '')
    expect(status).toBe(200)
    expect(
      body.results.map((one: { status: number; error: string }) => [one.status, one.error]),
    ).toEqual([
      [200, null],
      [400, expect.stringContaining('pageSize: ')],
      [400, 'keyword: unknown field; did you mean "keywords"?'],
      [400, 'request: expected object, received string'],
      [404, 'Catalog not found.'],
      [400, 'lowPrice: must not be above highPrice'],
    ])
    expect(body.results[1].answer).toBeNull()
  })

  test('send one request to Elasticsearch', async () => {
    await many([{}])
    const ask = () => many(Array.from({ length: 20 }, (_, at) => ({ lowPrice: 1 + at })))
    let body: Awaited<ReturnType<typeof ask>>['body']
    const sent = await requestsSent(bench.service, async () => {
      body = (await ask()).body
    })
    const paths = sent
      .map(({ path }) => path)
      .filter((path) => path === '/_msearch' || /products\/_search/.test(path))
    expect(paths).toEqual(['/_msearch'])
    expect(new Set(body.results.map(({ status }: { status: number }) => status))).toEqual(
      new Set([200]),
    )
  })

  test('are limited in number and in products', async () => {
    const over = await many(Array(21).fill({}))
    expect([over.status, over.body.message]).toEqual([400, expect.stringContaining('requests: ')])
    const large = await many(Array(3).fill({ pageSize: 200 }))
    expect([large.status, large.body.message]).toEqual([
      400,
      `requests: at most ${limits.productsTogether} products in total; reduce pageSize`,
    ])
    const must = Array.from({ length: 4 }, (_, at) => ({
      type: 'category',
      value: `${at}`.repeat(1_000),
    }))
    const long = await many(
      Array.from({ length: 20 }, (_, at) => ({ must, exclude: [{ ...must[0], value: `${at}` }] })),
    )
    expect([long.status, long.body.message]).toEqual([
      400,
      expect.stringContaining('requests: names and values of criteria have at most'),
    ])
  })

  test('count as that many requests of their key', async () => {
    const wanted = { keyType: 'search', rate: { perSecond: 1 } }
    const { key } = (await expectOk(bench.org.call('POST /api/KeyAuth/keys', { body: wanted })))
      .body
    const page = caller(bench.service, { key })
    const send = () => bench.at('POST', '/many', { requests: Array(20).fill({}) }, page)
    expect((await send()).status).toBe(200)
    const second = await send()
    expect(second.status).toBe(429)
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(10)
  })

  test('are charged and recorded as that many searches', async () => {
    const { service } = bench
    const { org, catalog } = await newShop(service, { searchCredits: 3 })
    const requests = [{ keywords: 'desk' }, { keywords: 'des', typing: true }, { page: -1 }]
    const line = `POST /api/search/many?catalog=${catalog}`
    const first = await org.call(line, { body: { requests } })
    expect(first.body.results.map(({ status }: { status: number }) => status)).toEqual([
      200, 200, 400,
    ])
    expect(first.headers.get('x-search-credits-remaining')).toBe('1')
    const second = await org.call(line, { body: { requests: [{}, {}] } })
    const statuses = second.body.results.map(({ status }: { status: number }) => status)
    expect(statuses.toSorted()).toEqual([200, 402])
    expect(second.headers.get('x-search-credits-remaining')).toBe('0')
    await service.services.background.settled()
    await expect
      .poll(async () => (await org.call('GET /api/search/history')).body.items)
      .toMatchObject([{ keywords: null }, { keywords: 'desk' }])
  })
})
