import { beforeAll, describe, expect, test } from 'vitest'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, caller, expectOk } from '../support/client.ts'
import { type SearchBench, searchBench } from '../support/search.ts'
import { startService, type TestService } from '../support/service.ts'

let bench: SearchBench
let other: TestService
/** A search key whose answers may be cached, and one whose answers may not. */
let kept: string
let plain: string
beforeAll(async () => {
  bench = await searchBench([
    { id: 'drill', name: 'Cordless drill', manufacturer: 'Ode, Sons & Co', msrp: 99 },
    { id: 'saw', name: 'Hand saw', manufacturer: 'Quill', msrp: 20, facets: { Size: 'XL' } },
    { id: 'file', name: 'Round file', manufacturer: 'Vega', msrp: 5, filters: { Weight: 2 } },
  ])
  other = await startService()
  const cache = { maxAge: 60, staleWhileRevalidate: 600 }
  kept = await keyWith({ cache })
  plain = await keyWith({})
})

const keyWith = async (settings: object): Promise<string> => {
  const body = { keyType: 'search', ...settings }
  return (await expectOk(bench.org.call('POST /api/KeyAuth/keys', { body }))).body.key
}

const addressOf = (query: Record<string, string | string[]>) => {
  const parameters = new URLSearchParams({ catalog: bench.catalog })
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) parameters.append(name, one)
  }
  return `GET /api/search?${parameters}`
}

describe('a search by GET', () => {
  const ids = async (query: Record<string, string | string[]>) => {
    const { status, body } = await bench.org.call(addressOf({ sort: 'name', ...query }))
    return status === 200 ? body.products.map(({ id }: { id: string }) => id) : body.message
  }

  test.each([
    ['words', { keywords: 'drill' }, ['drill']],
    ['numbers', { lowPrice: '5', highPrice: '20.5', pageSize: '1', page: '1' }, ['file']],
    ['a list of one', { manufacturer: 'Ode, Sons & Co' }, ['drill']],
    ['a list', { manufacturer: ['Ode, Sons & Co', 'Quill'] }, ['drill', 'saw']],
    ['criteria', { must: '[{"type":"facet","name":"Size","value":"XL"}]' }, ['saw']],
    ['ranges', { filters: '[{"name":"Weight","max":2}]' }, ['file']],
    [
      'nothing said',
      { keywords: '', inStock: '', lowPrice: '', must: '' },
      ['drill', 'saw', 'file'],
    ],
    ['no number', { pageSize: 'many' }, expect.stringContaining('pageSize: expected number')],
    ['no flag', { inStock: 'yes' }, expect.stringContaining('inStock: ')],
    ['no JSON', { must: '[{' }, 'must: not valid JSON'],
    [
      'an unknown field inside',
      { must: '[{"typ":"facet"}]' },
      'must[0].typ: unknown field; did you mean "type"?',
    ],
    ['an unknown parameter', { keyword: 'x' }, expect.stringContaining('did you mean "keywords"?')],
    ['too deep', { must: '['.repeat(40) }, 'must: nested deeper than 32'],
    [
      'two of what there is one of',
      { keywords: ['a', 'b'] },
      expect.stringContaining('keywords: '),
    ],
    ['a control character', { manufacturer: ['a', '\u0001'] }, expect.stringContaining('control')],
    ['one in JSON', { must: '[{"value":"\\u0001"}]' }, expect.stringContaining('control')],
  ])('accepts %s', async (_, query, expected) => {
    expect(await ids(query as never)).toEqual(expected)
  })

  test('returns the same as with a body', async () => {
    const query = { keywords: 'saw', fields: 'name,price', counts: 'true', compact: 'true' }
    const { body } = await bench.org.call(addressOf(query))
    const request = { keywords: 'saw', fields: ['name', 'price'], counts: true, compact: true }
    expect(body).toEqual({ ...(await bench.search(request)), took: expect.any(Number) })
  })

  test('accepts only a search key in the address', async () => {
    const nobody = caller(bench.service, { version: null })
    const found = await nobody(addressOf({ key: plain, keywords: 'saw' }))
    expect([found.status, found.body.total, found.headers.get('cache-control')]).toEqual([
      200,
      1,
      'no-store',
    ])
    const full = await nobody(addressOf({ key: await bench.org.key('administrator') }))
    expect([full.status, full.body.message]).toEqual([403, expect.stringContaining('header')])
    const two = caller(bench.service, { key: plain })
    expect((await two(addressOf({ key: kept }))).status).toBe(400)
    const elsewhere = await nobody(`GET /api/search/metadata?key=${plain}`, { version: '6.0' })
    expect(elsewhere.status).toBe(401)
  })
})

describe('cache headers', () => {
  const get = (
    query: Record<string, string>,
    parts: Parameters<Call>[1] = {},
    service = bench.service,
  ) => caller(service, { version: null })(addressOf({ key: kept, ...query }), parts)

  test('are sent for a key that allows caching', async () => {
    const { headers } = await get({ keywords: 'saw' }, { headers: { origin: 'https://a.example' } })
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=600')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('etag')).toMatch(/^W\/"[\w-]{22}"$/)
    const byHeader = await caller(bench.service, { key: kept })(addressOf({ keywords: 'saw' }))
    expect(byHeader.headers.get('cache-control')).toMatch(/^private, /)
    expect(byHeader.headers.get('vary')).toContain('x-api-key')
    const named = await get({}, { organization: bench.org.id })
    expect(named.headers.get('cache-control')).toMatch(/^private, /)
  })

  test('are not sent for failures and for answers to one visitor', async () => {
    const queries: Record<string, string>[] = [
      { page: '-1' },
      { analytics: 'true' },
      { cursor: '*' },
    ]
    for (const query of queries) {
      const { headers } = await get(query)
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
    }
    const post = await caller(bench.service, { key: kept })(
      `POST /api/search?catalog=${bench.catalog}`,
      { body: {} },
    )
    expect(post.headers.get('cache-control')).toBe('no-store')
  })

  test('contain the same ETag on every instance until something is written', async () => {
    const query = { keywords: 'saw', fields: 'name' }
    const tagOf = async (service = bench.service) =>
      (await get(query, {}, service)).headers.get('etag')!
    let tag = await tagOf()
    expect(await tagOf(other)).toBe(tag)
    expect((await get({ ...query, fields: 'id' })).headers.get('etag')).not.toBe(tag)
    const again = await get(query, { headers: { 'if-none-match': `"x", ${tag}` } }, other)
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', tag])
    expect(again.headers.get('cache-control')).toMatch(/^public/)
    // A cache compares these with the headers of the answer that it has stored.
    expect(again.headers.get('vary')).toMatch(/^accept-encoding, .*x-api-key/)
    for (const held of [tag.slice(2), '*', 'W/"x",W/"y"']) {
      const { status } = await get(query, { headers: { 'if-none-match': held } })
      expect([held, status]).toEqual([held, held.includes('"x"') ? 200 : 304])
    }
    const changed = async (line: string, body?: unknown) => {
      await expectOk(bench.org.call(line, body === undefined ? {} : { body }))
      const before = tag
      for (const service of [bench.service, other]) {
        await expect.poll(() => tagOf(service)).not.toBe(before)
        tag = await tagOf(service)
      }
      const answer = await get(query, { headers: { 'if-none-match': before } })
      expect(answer.status).toBe(200)
    }
    const products = `/api/Catalog/${bench.catalog}/products`
    await changed(`POST ${products}`, { id: 'new', name: 'Something else' })
    await changed(`DELETE ${products}/new`)
    await changed(`PUT /api/Catalog/${bench.catalog}/search/synonyms`, {
      groups: [{ words: ['saw', 'blade'] }],
    })
  })

  test('contain an ETag that depends on the catalog and the settings that matter to the search', async () => {
    const tagOf = async (catalog: string, keywords: string) => {
      const line = `GET /api/search?${new URLSearchParams({ catalog, keywords, key: kept })}`
      return (await caller(bench.service, { version: null })(line)).headers.get('etag')
    }
    const empty = [1, 2].map(() => seedCatalog(bench.service, bench.org, []))
    const [one, another] = await Promise.all(empty)
    expect(await tagOf(one!, 'saw')).not.toBe(await tagOf(another!, 'saw'))
    const before = await tagOf(one!, 'sww')
    await expectOk(
      bench.org.call(`PUT /api/Catalog/${one}/search/synonyms`, {
        body: { groups: [{ words: ['saw', 'cutter'] }] },
      }),
    )
    await expect.poll(() => tagOf(one!, 'sww')).not.toBe(before)
  })

  test('are not sent if offers are checked in real time', async () => {
    const catalog = await seedCatalog(bench.service, bench.org, [])
    const body = { name: catalog, checkRealtime: true }
    await expectOk(bench.org.call('PUT /api/Catalog', { body }))
    const line = `GET /api/search?catalog=${catalog}&key=${kept}`
    const { status, headers } = await caller(bench.service, { version: null })(line)
    const terms = [status, headers.get('cache-control'), headers.get('etag')]
    expect(terms).toEqual([200, 'no-store', null])
  })
})

test('only search keys have cache settings, of at most a week', async () => {
  const cache = { maxAge: 60 }
  const refused = async (body: object) =>
    (await bench.org.call('POST /api/KeyAuth/keys', { body })).body.message
  expect(await refused({ cache })).toBe('cache: only allowed for search keys')
  expect(await refused({ keyType: 'search', cache: { maxAge: 604_801 } })).toContain(
    'cache.maxAge: ',
  )
  await keyWith({ name: 'shown', cache })
  const { keys } = (await bench.org.call('GET /api/KeyAuth/keys')).body
  const shown = keys.find(({ name }: { name: string }) => name === 'shown')
  expect(shown.cache).toEqual({ maxAge: 60, staleWhileRevalidate: 0 })
})
