import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { caller, newOrganization } from '../support/client.ts'
import { type SearchBench, searchBench } from '../support/search.ts'

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench([
    {
      id: 'p1',
      name: 'Black <b>toner</b> & drum',
      description: `A toner for printers. ${'Long text. '.repeat(40)} Another toner here.`,
      manufacturer: 'Xerox',
      manufacturerPartNumber: '006R90321',
      segment: 'Office',
      category: 'Printing',
      subCategory: 'Toner',
      unspsc: '44103103',
      msrp: 50,
      attributes: { Yield: '23000' },
      facets: { Colour: 'Black' },
      filters: { weight: 1.5 },
      vendors: [
        { vendorName: 'Alpha', cost: 40, onHand: 3, inStock: true, vendorPartNumber: 'A-1' },
        { vendorName: 'Beta', cost: 30, inStock: false },
      ],
    },
    { id: 'p2', name: 'Cyan toner', manufacturer: 'HP', segment: 'Office', msrp: 70 },
    { id: 'p3', name: 'Lamp', manufacturer: 'HP', category: 'Light', facets: { Colour: 'White' } },
  ])
})

describe('Search', () => {
  test.each(['1.0', '6.0'])('returns products, total and metadata (%s)', async (version) => {
    const { status, body, headers } = await bench.org.call(
      `POST /api/search?catalog=${bench.catalog}`,
      { version, body: { keywords: 'black toner' } },
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(`application/json; x-api-version=${version}`)
    expect(Object.keys(body)).toEqual(['products', 'total', 'metadata', 'took'])
    expect(body.total).toBe(1)
    expect(body.took).toBeGreaterThanOrEqual(0)
    expect(body.products[0]).toEqual({
      id: 'p1',
      description: expect.stringContaining('A toner for printers.'),
      manufacturer: 'Xerox',
      manufacturerPartNumber: '006R90321',
      name: 'Black <b>toner</b> & drum',
      image: null,
      catalog: bench.catalog,
      unspsc: '44103103',
      segment: 'Office',
      category: 'Printing',
      subCategory: 'Toner',
      updatedBy: 'test',
      msrp: 50,
      lastUpdated: '2026-01-01T00:00:00.000Z',
      images: [],
      vendors: [
        {
          cost: 40,
          onHand: 3,
          inStock: true,
          vendorPartNumber: 'A-1',
          vendorName: 'Alpha',
          status: null,
          name: null,
        },
        {
          cost: 30,
          onHand: null,
          inStock: false,
          vendorPartNumber: null,
          vendorName: 'Beta',
          status: null,
          name: null,
        },
      ],
      attributes: { Yield: '23000' },
      filters: { weight: 1.5 },
      facets: { Colour: 'Black' },
      links: [],
      notes: [],
      extensionFields: [],
      favorite: { company: false, user: false },
    })
    expect(body.metadata).toEqual({
      segments: { Office: ['Printing'] },
      vendors: ['Alpha', 'Beta'],
      manufacturers: ['Xerox'],
      facets: { Colour: ['Black'] },
      filters: { weight: { key: 'weight', min: 1.5, max: 1.5 } },
    })
  })

  test('costs one request to Elasticsearch, including facets and selections', async () => {
    const body = { manufacturer: ['HP'], lowPrice: 1, vendors: ['Alpha'], counts: true }
    expect(await bench.trips(() => bench.search({}))).toBe(1)
    expect(await bench.trips(() => bench.search(body))).toBe(1)
  })

  test('omits metadata on request', async () => {
    const body = await bench.search({ includeMetadata: false })
    expect(Object.keys(body)).toEqual(['products', 'total', 'took'])
    expect(await bench.search({ includeMetadata: null })).toHaveProperty('metadata')
  })

  test('treats null as absent', async () => {
    const body = Object.fromEntries(
      ['keywords', 'page', 'pageSize', 'inStock', 'lowPrice', 'highPrice', 'manufacturer']
        .concat(['vendors', 'must', 'boost', 'exclude', 'segment', 'category', 'subCategory'])
        .concat(['checkRealtimeSelection', 'includeMetadata', 'filters', 'sort', 'cursor'])
        .map((field) => [field, null]),
    )
    expect((await bench.search(body)).total).toBe(3)
  })

  test('ignores checkRealtimeSelection without real-time extensions', async () => {
    const plain = await bench.search({ includeMetadata: false })
    const asked = await bench.search({ includeMetadata: false, checkRealtimeSelection: true })
    expect(asked.products).toEqual(plain.products)
  })

  test('highlights matching words as safe HTML', async () => {
    const { products } = await bench.search({ keywords: 'toner', highlight: true })
    const [first, second] = ['p1', 'p2'].map(
      (id) => products.find((product: { id: string }) => product.id === id).highlight,
    )
    expect(first.name).toBe('Black &lt;b&gt;<em>toner</em>&lt;&#x2F;b&gt; &amp; drum')
    expect(first.description).toHaveLength(2)
    expect(first.description[0]).toContain('A <em>toner</em> for printers.')
    expect(second).toEqual({ name: 'Cyan <em>toner</em>' })
    const misspelt = await bench.search({ keywords: 'cyan tonner', highlight: true })
    expect(misspelt.products[0].highlight.name).toBe('<em>Cyan</em> <em>toner</em>')
    const plain = await bench.search({ keywords: 'toner' })
    expect(plain.products[0]).not.toHaveProperty('highlight')
  })
})

describe('Simple Search', () => {
  test.each(['1.0', '6.0'])(
    'returns only products and total, in the same order (%s)',
    async (version) => {
      const body = { sort: '-name', manufacturer: ['HP'] }
      const { body: simple } = await bench.org.call(
        `POST /api/search/simple?catalog=${bench.catalog}`,
        { version, body },
      )
      expect(Object.keys(simple)).toEqual(['products', 'total'])
      const { products, total } = await bench.search(body)
      expect(simple).toEqual({ products, total })
    },
  )
})

describe('the catalog', () => {
  test('is the default one if none is named; without a default 400', async () => {
    const org = bench.org
    const missing = await org.call('POST /api/search', { body: {} })
    expect(missing.status).toBe(400)
    expect(missing.body.message).toContain('catalog: required')
    await org.call('PUT /api/organizations/current', { body: { defaultCatalog: bench.catalog } })
    await expect
      .poll(async () => (await org.call('POST /api/search', { body: {} })).body.total)
      .toBe(3)
    expect((await org.call('POST /api/search?catalog=', { body: {} })).body.total).toBe(3)
  })

  test('returns the same 404 if it is unknown, foreign or inactive', async () => {
    const { service, org, catalog } = bench
    const stranger = await newOrganization(service)
    const body = { name: 'asleep', description: '', active: false, checkRealtime: false }
    expect((await org.call('POST /api/Catalog', { body })).status).toBe(200)
    const answers = await Promise.all([
      org.call('POST /api/search?catalog=unknown', { body: {} }),
      org.call('POST /api/search?catalog=asleep', { body: {} }),
      org.call('POST /api/search/count?catalog=asleep', { body: {} }),
      org.call('GET /api/search/metadata?catalog=asleep'),
      org.call('GET /api/search/quicksearch?search=a&catalog=asleep'),
      stranger.call(`POST /api/search?catalog=${catalog}`, { body: {} }),
    ])
    for (const { status, body } of answers) {
      expect([status, body.message]).toEqual([404, 'Catalog not found.'])
    }
  })

  test('of a parent can be searched by its children', async () => {
    const { service, org, catalog } = bench
    const child = await newOrganization(service, org.id)
    const { body } = await child.call(`POST /api/search?catalog=${catalog}`, { body: {} })
    expect(body.total).toBe(3)
  })
})

describe('access to searches', () => {
  test('is given to viewers and search keys, but not to import keys', async () => {
    const { service, org, catalog } = bench
    const line = `POST /api/search?catalog=${catalog}`
    const viewer = await org.as('viewer')
    const searchKey = caller(service, { key: await org.key('viewer', 'search') })
    const importKey = caller(service, { key: await org.key('administrator', 'import') })
    expect((await viewer(line, { body: {} })).status).toBe(200)
    expect((await searchKey(line, { body: {} })).status).toBe(200)
    expect((await importKey(line, { body: {} })).status).toBe(403)
    expect((await searchKey('GET /api/search/history')).status).toBe(403)
    expect((await caller(service)(line, { body: {} })).status).toBe(401)
  })

  test('is limited in number of running and waiting searches, per organization', async () => {
    const { service, org, catalog } = bench
    const line = `POST /api/search?catalog=${catalog}`
    const other = await newOrganization(service)
    const { requests } = service.services
    const end = Promise.withResolvers<void>()
    const all = limits.requestPlaces + limits.organizationWaiting
    const busy = Array.from({ length: all }, () =>
      requests.run(org.id, () => end.promise).catch(() => undefined),
    )
    const refused = await org.call(line, { body: {} })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await other.call(line, { body: {} })).status).toBe(404)
    end.resolve()
    await Promise.all(busy)
    expect((await org.call(line, { body: {} })).status).toBe(200)
  })
})

describe('an invalid search is refused', () => {
  test.each([
    [{ page: -1 }, 'page: '],
    [{ page: 1.5 }, 'page: '],
    [{ page: 1e9 }, 'page: only the first 10000 hits'],
    [{ pageSize: 251 }, 'pageSize: Too big: expected number to be <=250'],
    [{ pageSize: -1 }, 'pageSize: '],
    [{ keywords: 5 }, 'keywords: expected string, received number'],
    [{ keywords: 'x'.repeat(513) }, 'keywords: Too big'],
    [{ inStock: 'yes' }, 'inStock: expected boolean'],
    [{ lowPrice: '5' }, 'lowPrice: expected number'],
    [{ lowPrice: 9, highPrice: 1 }, 'lowPrice: must not be above highPrice'],
    [{ manufacturer: 'HP' }, 'manufacturer: expected array'],
    [{ vendors: [5] }, 'vendors[0]: expected string'],
    [{ must: [{ type: 'color', value: 'x' }] }, 'must[0].type: expected one of manufacturer, '],
    [{ filters: [{ name: 'n', min: 'a' }] }, 'filters[0].min: expected number'],
    [
      { filters: Array.from({ length: 33 }, () => ({ name: 'n' })) },
      'filters: Too big: expected array to have <=32 items',
    ],
    [{ sort: 'colour' }, 'sort: Invalid option: expected one of "relevance"|"price"|'],
    [{ cursor: 'abc' }, 'cursor: not valid;'],
    [{ facetSearch: { text: 'x' } }, 'facetSearch.name: required'],
    [[], 'body: expected object'],
  ])('%j', async (body, message) => {
    for (const path of ['', '/simple', '/count']) {
      const answer = await bench.at('POST', path, body)
      if (path === '/count' && 'cursor' in body) continue
      expect([path, answer.status, answer.body.message]).toEqual([
        path,
        400,
        expect.stringContaining(message),
      ])
      expect(answer.body).toMatchObject({ success: false, id: null, taskId: null })
    }
  })

  test.each(['{"lowPrice":1e999}', '{"page":', ''])('%s', async (body) => {
    expect((await bench.at('POST', '', body)).status).toBe(400)
  })
})
