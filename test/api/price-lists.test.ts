import { beforeAll, describe, expect, test, vi } from 'vitest'
import { listsOf } from '../../src/catalogs/price-lists/store.ts'
import { removeDeletedCatalogs } from '../../src/catalogs/removal.ts'
import { catalogsOf, PRICE_LISTS } from '../../src/catalogs/store.ts'
import { bulk } from '../../src/elastic/bulk.ts'
import { refreshIndex } from '../../src/elastic/refresh.ts'
import { limits } from '../../src/limits.ts'
import { applyPeriods, removeDeletedLists } from '../../src/price-lists/upkeep.ts'
import { productsOf } from '../../src/products/product-documents.ts'
import { type Sketch, seedCatalog } from '../support/catalog.ts'
import {
  type Answer,
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { importFile } from '../support/imports.ts'
import { outcome } from '../support/organizations.ts'
import { mostUnderWay } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let org: TestOrganization
let catalog: string

const sold = (id: string, cost: number, more: Partial<Sketch> = {}): Sketch => ({
  id,
  name: `Drill ${id}`,
  manufacturer: 'Open Works',
  manufacturerPartNumber: `P-${id}`,
  msrp: 1_000,
  vendors: [{ vendorName: 'Nord', cost, inStock: true }],
  ...more,
})

const PRODUCTS = [
  sold('a', 10),
  sold('b', 20),
  sold('c', 30, { vendors: [{ vendorName: 'Sued', cost: 30 }] }),
  sold('d', 40),
]
/** The order of these prices is reversed, and `d` has none. */
const GOLD = [
  { id: 'a', price: 300 },
  { id: 'b', price: 200 },
  { id: 'c', price: 100 },
  { id: 'c', price: 90, quantityFrom: 10 },
]

beforeAll(async () => {
  service = await startService()
  org = await newOrganization(service)
  catalog = await newShop()
})

/** A catalog whose list `gold` reverses the order of prices. */
async function newShop(call: Call = org.call): Promise<string> {
  const name = await seedCatalog(service, { ...org, call }, PRODUCTS)
  await putList(name, 'gold')
  await write(name, 'gold', GOLD)
  return name
}

const putList = (name: string, list: string, more: object = {}, call = org.call) =>
  expectOk(
    call(`PUT /api/Catalog/${name}/priceLists/${list}`, { body: { currency: 'EUR', ...more } }),
  )

/** Writes prices, and waits until searches use them. */
async function write(name: string, list: string, lines: readonly object[], call = org.call) {
  const { body } = await expectOk(
    call(`POST /api/Catalog/${name}/priceLists/${list}/prices`, { body: { lines } }),
  )
  await refresh()
  return body
}

const refresh = () => refreshIndex(service.services.elastic, 'products')

const send = (body: object, { call = org.call, at = catalog, path = '' } = {}): Promise<Answer> =>
  call(`POST /api/search${path}?catalog=${at}`, { body })

const ids = async (body: object, parts: Parameters<typeof send>[1] = {}): Promise<string[]> =>
  (await expectOk(send(body, parts))).body.products.map(({ id }: { id: string }) => id)

async function keyWith(body: object): Promise<{ id: string; key: string; call: Call }> {
  const wanted = { name: 'page', keyType: 'search', ...body }
  const { id, key } = (await expectOk(org.call('POST /api/KeyAuth/keys', { body: wanted }))).body
  return { id, key, call: caller(service, { key }) }
}

const gold = { priceList: 'gold' }

describe('A search by a price list', () => {
  test('filters, sorts, counts and returns its prices in place of all others', async () => {
    expect(await ids({ ...gold, sort: 'price' })).toEqual(['c', 'b', 'a', 'd'])
    expect(await ids({ ...gold, sort: '-price' })).toEqual(['a', 'b', 'c', 'd'])
    expect(await ids({ ...gold, lowPrice: 100, highPrice: 200, sort: 'name' })).toEqual(['b', 'c'])
    expect(await ids({ ...gold, highPrice: 99 })).toEqual([])
    expect(await ids({ sort: 'price', highPrice: 20 })).toEqual(['a', 'b'])
    const facets = { ranges: true }
    const { body } = await expectOk(send({ ...gold, counts: true, facets, sort: 'price' }))
    expect(body.priceList).toEqual({ name: 'gold', currency: 'EUR' })
    expect(body.metadata.counts.price).toEqual({ min: 100, max: 300 })
    const { price: ranges } = body.metadata.ranges
    expect(ranges[0].min).toBe(100)
    expect(ranges.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(3)
    const always = { validFrom: null, validTo: null }
    expect(body.products[0].prices).toEqual([
      { price: 100, quantityFrom: 1, ...always },
      { price: 90, quantityFrom: 10, ...always },
    ])
    expect(body.products[3]).toMatchObject({ id: 'd', prices: [] })
    const general = (await expectOk(send({ counts: true }))).body
    expect(general.metadata.counts.price).toEqual({ min: 10, max: 40 })
    expect(general).not.toHaveProperty('priceList')
    expect(general.products[0]).not.toHaveProperty('prices')
  })

  test('requires vendor and stock together with the price of the list', async () => {
    expect(await ids({ ...gold, vendors: ['Sued'], highPrice: 100 })).toEqual(['c'])
    expect(await ids({ ...gold, vendors: ['Nord'], highPrice: 100 })).toEqual([])
    expect(await ids({ ...gold, inStock: true, sort: 'price' })).toEqual(['b', 'a', 'd'])
    expect(await ids({ ...gold, vendors: ['Nord'], lowPrice: 1, sort: 'price' })).toEqual([
      ...['b', 'a'],
    ])
    const { body } = await expectOk(send({ ...gold, counts: true, highPrice: 200 }))
    expect(body.metadata.counts.vendors).toEqual({ Nord: 1, Sued: 1 })
  })

  test('returns requested fields, and explains by its prices', async () => {
    const fields = ['price', 'prices']
    const { products } = (await expectOk(send({ ...gold, fields, sort: 'price' }))).body
    expect(products[0]).toEqual({ id: 'c', price: 100, prices: expect.any(Array) })
    expect(products[3]).toEqual({ id: 'd', price: null, prices: [] })
    const explained = (await expectOk(send({ ...gold, explain: true, sort: 'price' }))).body
    expect(explained.products[0].explanation.price).toMatchObject({ amount: 100, vendorName: null })
  })

  test('is the same in every operation that searches', async () => {
    const narrow = { ...gold, highPrice: 200 }
    expect((await send(narrow, { path: '/count' })).body.count).toBe(2)
    expect(await ids(narrow, { path: '/simple' })).toEqual(['b', 'c'])
    const query = `catalog=${catalog}&priceList=gold`
    const got = await expectOk(org.call(`GET /api/search?${query}&sort=price&highPrice=200`))
    expect(got.body.products.map(({ id }: { id: string }) => id)).toEqual(['c', 'b'])
    const many = await expectOk(
      org.call(`POST /api/search/many?catalog=${catalog}`, { body: { requests: [narrow, {}] } }),
    )
    expect(many.body.results.map(({ answer }: Answer['body']) => answer.total)).toEqual([2, 4])
    const metadata = await expectOk(org.call(`GET /api/search/metadata?${query}&counts=true`))
    expect(metadata.body.counts.price).toEqual({ min: 100, max: 300 })
    const typed = await expectOk(
      org.call(`GET /api/search/quicksearch?${query}&search=drill&include=products`),
    )
    const prices = typed.body.suggestions.products.map(({ id, price }: Answer['body']) => [
      id,
      price,
    ])
    expect(Object.fromEntries(prices)).toEqual({ a: 300, b: 200, c: 100, d: null })
    const dry = await expectOk(
      org.call(`POST /api/Catalog/${catalog}/products/delete`, { body: { search: narrow } }),
    )
    expect(dry.body.total).toBe(2)
  })

  test('applies to products that are read, too', async () => {
    const line = `GET /api/Catalog/${catalog}/products/c`
    expect((await org.call(line)).body).not.toHaveProperty('prices')
    const { body } = await expectOk(org.call(`${line}?priceList=gold`))
    expect(body.prices).toMatchObject([{ price: 100 }, { price: 90, quantityFrom: 10 }])
    const wanted = { ...gold, ids: ['a', 'd'], fields: ['prices.price'] }
    const several = await org.call(`POST /api/Catalog/${catalog}/retrieveProducts`, {
      body: wanted,
    })
    expect(several.body).toEqual([
      { id: 'a', prices: [{ price: 300 }] },
      { id: 'd', prices: [] },
    ])
    const { call } = await keyWith({ ...gold, catalogs: [catalog] })
    expect((await call(line)).body.prices).toHaveLength(2)
    expect((await call(`${line}?priceList=silver`)).status).toBe(403)
  })

  test('sorts a walk by its prices, which cannot continue with another list', async () => {
    await putList(catalog, 'silver')
    const body = { ...gold, sort: 'price', pageSize: 2, cursor: '*' }
    const { cursor, products } = (await expectOk(send(body))).body
    expect(products.map(({ id }: { id: string }) => id)).toEqual(['c', 'b'])
    expect(await ids({ ...body, cursor })).toEqual(['a', 'd'])
    expect((await send({ ...body, priceList: 'silver', cursor })).status).toBe(400)
  })

  test('is refused for an unknown list, with the known ones', async () => {
    const at = await newShop()
    expect(outcome(await send({ priceList: 'golden' }, { at }))).toEqual([
      400,
      `priceList: the catalog ${at} has no price list golden; it has gold`,
    ])
    for (const name of ['constructor', '__proto__']) {
      expect((await send({ priceList: name }, { at })).status).toBe(400)
    }
  })
})

describe('A key with a price list', () => {
  test('sees its prices without naming it, and no other list', async () => {
    const { call } = await keyWith({ ...gold, catalogs: [catalog], hide: ['public', 'msrp'] })
    expect(await ids({ sort: 'price', highPrice: 200 }, { call })).toEqual(['c', 'b'])
    const { body } = await expectOk(send({ ...gold, counts: true, fields: ['price'] }, { call }))
    expect(body.metadata.counts.price).toEqual({ min: 100, max: 300 })
    expect(body.products.find(({ id }: { id: string }) => id === 'a').price).toBe(300)
    const line = `GET /api/search/metadata?catalog=${catalog}&counts=true`
    expect((await call(line)).body.counts.price).toEqual({ min: 100, max: 300 })
    for (const priceList of ['silver', 'nothing']) {
      expect(outcome(await send({ priceList }, { call }))).toEqual([
        403,
        'priceList: this key is bound to another price list',
      ])
    }
  })

  test('never sees general prices, even if its list is deleted', async () => {
    const at = await newShop()
    const { call } = await keyWith({ ...gold, catalogs: [at] })
    expect(await ids({ lowPrice: 300 }, { call, at })).toEqual(['a'])
    await expectOk(org.call(`DELETE /api/Catalog/${at}/priceLists/gold`))
    for (const path of ['', '/simple', '/count']) {
      expect(outcome(await send({}, { call, at, path }))).toEqual([
        403,
        `This key is bound to the price list gold, which the catalog ${at} does not have.`,
      ])
    }
    const { status } = await call(`GET /api/search/metadata?catalog=${at}&counts=true`)
    expect(status).toBe(403)
  })

  test('signs only keys for its list; a key that cannot see costs signs for none', async () => {
    const { createHash, createHmac } = await import('node:crypto')
    const signed = ({ id, key }: { id: string; key: string }, bounds: object) => {
      const payload = Buffer.from(JSON.stringify({ keyId: id, ...bounds })).toString('base64url')
      const text = `aisle_signed_${payload}`
      const secret = createHash('sha256').update(key).digest('base64url')
      const signature = createHmac('sha256', secret).update(text).digest('base64url')
      return caller(service, { key: `${text}.${signature}` })
    }
    const plain = await keyWith({ catalogs: [catalog] })
    const call = signed(plain, { ...gold, hide: ['public'] })
    expect(await ids({ lowPrice: 300 }, { call })).toEqual(['a'])
    expect((await send({ priceList: 'silver' }, { call })).status).toBe(403)
    const bound = await keyWith({ ...gold, catalogs: [catalog] })
    const open = await keyWith({ hide: ['public'], catalogs: [catalog] })
    const other = { call: signed(bound, { priceList: 'silver' }) }
    expect(outcome(await send({}, other))[1]).toContain('bound to another price list')
    expect(outcome(await send({}, { call: signed(open, gold) }))[1]).toContain('cannot sign for a')
    expect(outcome(await send(gold, { call: open.call }))).toEqual([
      403,
      expect.stringContaining('cannot see vendors.cost'),
    ])
  })

  test('is a search key for a list that exists in its catalogs', async () => {
    const make = (body: object) =>
      org.call('POST /api/KeyAuth/keys', { body: { name: 'k', keyType: 'search', ...body } })
    expect((await make({ ...gold, keyType: 'full' })).body.message).toContain(
      'only allowed for search keys',
    )
    const missing = await make({ priceList: 'lead', catalogs: [catalog] })
    expect(outcome(missing)).toEqual([400, expect.stringContaining('no such price list')])
  })
})

describe('Write Prices', () => {
  test('returns a result for each line, and writes the valid ones', async () => {
    const at = await newShop()
    const lines = [
      { id: 'a', price: 7, quantityFrom: 5 },
      { manufacturer: 'Open Works', manufacturerPartNumber: 'P-b', price: 200 },
      { id: 'a', price: 8, quantityFrom: 5, validFrom: '2030-01-01T00:00:00+01:00' },
      { id: 'no-such-product', price: 1 },
      { id: 'a', price: -1 },
      { id: 'a', price: 1e15 },
      { id: 'a', price: 1, validFrom: '2030-01-02T00:00:00Z', validTo: '2030-01-01T00:00:00Z' },
      { price: 5 },
      { id: 'd', price: 11 },
    ]
    const { results, ...answer } = await write(at, 'gold', lines)
    expect(answer).toMatchObject({ success: false, updated: 2, unchanged: 1, rejected: 6 })
    expect(results.map(({ status, id }: Answer['body']) => [status, id])).toEqual([
      [200, 'a'],
      [200, 'b'],
      [409, 'a'],
      [404, null],
      [400, null],
      [400, null],
      [400, 'a'],
      [400, null],
      [200, 'd'],
    ])
    expect(results[2].error).toBe(
      'The price overlaps the price 7 for 5 and more, always. End one where the other begins.',
    )
    expect(results[4].error).toContain('price')
    expect(await write(at, 'gold', [lines[0]!, lines[8]!])).toMatchObject({ unchanged: 2 })
    expect(await ids({ ...gold, sort: 'price' }, { at })).toEqual(['d', 'c', 'b', 'a'])
    await write(at, 'gold', [{ id: 'd', price: null }])
    expect(await ids({ ...gold, lowPrice: 0, sort: 'price' }, { at })).toEqual(['c', 'b', 'a'])
  })

  test('returns prices page by page', async () => {
    const path = `GET /api/Catalog/${catalog}/priceLists/gold/prices?pageSize=2`
    const first = (await expectOk(org.call(path))).body
    expect(first).toMatchObject({ after: 'b', lines: [{ id: 'a', price: 300 }, { id: 'b' }] })
    const last = (await expectOk(org.call(`${path}&after=${first.after}`))).body
    expect(last).not.toHaveProperty('after')
    expect(last.lines.map(({ id, price }: Answer['body']) => [id, price])).toEqual([
      ['c', 100],
      ['c', 90],
    ])
  })

  test('keeps prices when the product is written, and deletes them with it', async () => {
    const at = await newShop()
    const product = { name: 'Drill of steel' }
    await expectOk(org.call(`PUT /api/Catalog/${at}/products/a`, { body: product }))
    const operations = [{ action: 'update', id: 'b', product }]
    await expectOk(org.call(`POST /api/Catalog/${at}/products/batch`, { body: { operations } }))
    await expectOk(org.call(`PUT /api/Catalog/${at}/products/c/tags`, { body: ['new'] }))
    await importFile(org.call, 'sku,name,vendor,price\na,Drill,Nord,12\nd,Saw,Nord,9\n', {
      targetCatalog: at,
    })
    await refresh()
    expect(await ids({ ...gold, sort: 'price' }, { at })).toEqual(['c', 'b', 'a', 'd'])
    await expectOk(org.call(`DELETE /api/Catalog/${at}/products/a`))
    await expectOk(org.call(`POST /api/Catalog/${at}/products`, { body: { id: 'a', msrp: 5 } }))
    await refresh()
    expect(await ids({ ...gold, lowPrice: 0, sort: 'price' }, { at })).toEqual(['c', 'b'])
  })

  test('accepts prices with a period of validity', async () => {
    const at = await newShop()
    const year = (number: number) => `${number}-01-01T00:00:00Z`
    await write(at, 'gold', [
      { id: 'a', price: 300, validTo: year(2098) },
      { id: 'a', price: 5, validFrom: year(2098), validTo: year(2099) },
      { id: 'b', price: 20, validFrom: year(2098), quantityFrom: 2 },
    ])
    const cheap = () => ids({ ...gold, highPrice: 99 }, { at })
    const { products } = (await expectOk(send({ ...gold, sort: '-price' }, { at }))).body
    expect(products[0].prices).toMatchObject([{ price: 300 }])
    expect(products[1].prices).toMatchObject([{ price: 200 }])
    expect(await cheap()).toEqual([])
    const sweepIn = async (time: number) => {
      await applyPeriods({ ...service.services, clock: { now: () => new Date(year(time)) } })
      await refresh()
    }
    await sweepIn(2097)
    expect(await cheap()).toEqual([])
    await sweepIn(2098)
    expect(await cheap()).toEqual(['a'])
    await sweepIn(2099)
    expect(await ids({ ...gold, lowPrice: 0 }, { at })).toEqual(['b', 'c'])
  })
})

test('Cached answers expire when a quantity price begins', async () => {
  const at = await newShop()
  const lines = [{ id: 'a', price: 250, quantityFrom: 5, validFrom: '2098-01-01T00:00:00Z' }]
  await write(at, 'gold', lines)
  const { call } = await keyWith({ ...gold, catalogs: [at], cache: { maxAge: 60 } })
  const tag = async () =>
    (await expectOk(call(`GET /api/search?catalog=${at}`))).headers.get('etag')
  const before = await tag()
  expect(await tag()).toBe(before)
  const clock = { now: () => new Date('2098-01-01T00:00:01Z') }
  await applyPeriods({ ...service.services, clock })
  await refresh()
  expect(await tag()).not.toBe(before)
})

test('Prices begin in one catalog, whatever happens to a product of another', async () => {
  const [broken, whole] = [
    await seedCatalog(service, org, [sold('a', 10)], 'a-broken'),
    await seedCatalog(service, org, [sold('a', 10)], 'b-whole'),
  ]
  const lines = [{ id: 'a', price: 7, validFrom: '2098-01-01T00:00:00Z' }]
  for (const at of [broken, whole]) {
    await putList(at, 'gold')
    await write(at, 'gold', lines)
  }
  const products = productsOf(service.services, { owner: org.id, name: broken, index: null })
  const { source } = (await products.get('a'))!
  // A document that an older Elasticsearch mapping accepted, and the present one rejects.
  const search = { id: 'a', pricesDue: Date.UTC(2098) } as never
  await products.put('a', { ...source, product: { ...source.product, msrp: 'x' as never }, search })
  await refresh()
  const clock = { now: () => new Date('2098-01-01T00:00:01Z') }
  await expect(applyPeriods({ ...service.services, clock })).rejects.toThrow('was not written')
  await products.remove('a')
  await refresh()
  expect(await ids({ ...gold, highPrice: 7 }, { at: whole })).toEqual(['a'])
})

test('Prices begin in every catalog in turn, however many are due in one', async () => {
  const many = Array.from({ length: 60 }, (_, at) => sold(`p${at}`, 10))
  const [large, small] = [
    await seedCatalog(service, org, many, 'a-large'),
    await seedCatalog(service, org, [sold('a', 10)], 'b-small'),
  ]
  for (const at of [large, small]) await putList(at, 'gold')
  const from = (year: number) => ({ price: 7, validFrom: `${year}-01-01T00:00:00Z` })
  await write(
    large,
    'gold',
    many.map(({ id }) => ({ id, ...from(2091) })),
  )
  await write(small, 'gold', [{ id: 'a', ...from(2092) }])
  await refresh()
  let batches = 0
  const { requests } = service.services
  const enter: typeof requests.enter = async (...asked) => {
    if (++batches > 2) throw new Error('There is time for two batches.')
    return requests.enter(...asked)
  }
  const clock = { now: () => new Date('2092-01-01T00:00:01Z') }
  const services = { ...service.services, clock, requests: { ...requests, enter } }
  await expect(applyPeriods(services)).rejects.toThrow('two batches')
  await refresh()
  expect(await ids({ ...gold, highPrice: 7 }, { at: small })).toEqual(['a'])
  await applyPeriods({ ...service.services, clock })
  await refresh()
  const all = { ...gold, highPrice: 7, pageSize: 100 }
  expect(await ids(all, { at: large })).toHaveLength(60)
})

test('Prices begin for every organization in turn, however many catalogs of one have due prices', async () => {
  const other = await newOrganization(service)
  const many = Array.from({ length: 60 }, (_, at) => sold(`p${at}`, 10))
  const due = (time: string) => (one: Sketch) => ({ id: one.id, price: 7, validFrom: time })
  for (const name of ['turn-a', 'turn-b', 'turn-c']) {
    await seedCatalog(service, org, [sold('a', 10)], name)
    await putList(name, 'gold')
    await write(name, 'gold', [sold('a', 10)].map(due('2090-01-01T00:00:00Z')))
  }
  const at = await seedCatalog(service, other, many)
  await putList(at, 'gold', {}, other.call)
  await write(at, 'gold', many.map(due('2090-01-02T00:00:00Z')), other.call)
  await refresh()
  let batches = 0
  const { requests } = service.services
  const enter: typeof requests.enter = async (...asked) => {
    // Those of other tests, which may be due as well, do not count.
    const isOurs = [org.id, other.id].some((id) => asked[0].includes(id))
    if (isOurs && ++batches > 4) throw new Error('There is time for four batches.')
    return requests.enter(...asked)
  }
  const clock = { now: () => new Date('2090-01-03T00:00:00Z') }
  const services = { ...service.services, clock, requests: { ...requests, enter } }
  await expect(applyPeriods(services)).rejects.toThrow('four batches')
  await refresh()
  const all = { ...gold, highPrice: 7, pageSize: 100 }
  expect(await ids(all, { at, call: other.call })).toHaveLength(60)
})

describe('Price lists', () => {
  const path = (name: string, list = '') => `/api/Catalog/${name}/priceLists${list && `/${list}`}`
  const later = () => ({
    ...service.services,
    clock: { now: () => new Date(Date.now() + 2 * limits.catalogRemovalMs) },
  })

  test('are created, changed, listed and deleted', async () => {
    const at = await seedCatalog(service, org, [])
    await putList(at, 'retail')
    await putList(at, 'dealers', { currency: 'CHF', description: 'Zürich' })
    await putList(at, 'dealers', { currency: 'USD' })
    const { priceLists } = (await expectOk(org.call(`GET ${path(at)}`))).body
    expect(priceLists).toMatchObject([
      { name: 'dealers', currency: 'USD', description: null, organizations: null },
      { name: 'retail', currency: 'EUR' },
    ])
    const viewer = await org.as('viewer')
    expect((await viewer(`GET ${path(at, 'retail')}`)).body.name).toBe('retail')
    expect((await viewer(`DELETE ${path(at, 'retail')}`)).status).toBe(403)
    await expectOk(org.call(`DELETE ${path(at, 'retail')}`))
    expect(outcome(await org.call(`GET ${path(at, 'retail')}`))).toEqual([
      404,
      'Price list not found.',
    ])
    expect((await org.call(`DELETE ${path(at, 'retail')}`)).status).toBe(404)
  })

  test('of a catalog are changed one after the other, even with many concurrent changes', async () => {
    const at = await seedCatalog(service, org, [])
    const document = listsOf(service.services, { owner: org.id, name: at }).documentId(PRICE_LISTS)
    const names = Array.from({ length: 8 }, (_, n) => `l${n}`)
    const most = await mostUnderWay(
      service,
      () => Promise.all(names.map((name) => putList(at, name))),
      ({ path: asked }) => asked.includes(document),
    )
    expect(most).toBe(1)
    const { priceLists } = (await expectOk(org.call(`GET ${path(at)}`))).body
    expect(priceLists).toHaveLength(names.length)
  })

  test('free their slot once their prices are deleted', async () => {
    const at = await newShop()
    for (let more = 1; more < limits.priceLists; more++) await putList(at, `l${more}`)
    const put = () => org.call(`PUT ${path(at, 'more')}`, { body: { currency: 'EUR' } })
    expect(outcome(await put())).toEqual([409, expect.stringContaining('Delete one first')])
    await expectOk(org.call(`DELETE ${path(at, 'gold')}`))
    await refreshIndex(service.services.elastic, 'price-lists')
    await removeDeletedLists(service.services)
    expect(outcome(await put())).toEqual([409, expect.stringContaining('Try again shortly')])
    await removeDeletedLists(later())
    expect((await put()).status).toBe(200)
    await refresh()
    expect(await ids({ priceList: 'more', lowPrice: 0 }, { at })).toEqual([])
  })

  test('are removed for every organization in turn, however many catalogs of one had any', async () => {
    const { services } = service
    const other = await newOrganization(service)
    const at = await seedCatalog(service, other, [])
    const listOf = (name: string) => `/api/Catalog/${name}/priceLists/gold`
    const names = Array.from({ length: 250 }, (_, n) => `many-${n}`)
    const first = await seedCatalog(service, org, [], 'many')
    for (const [name, { call }] of [
      [first, org],
      [at, other],
    ] as const) {
      await putList(name, 'gold', {}, call)
      await expectOk(call(`DELETE ${listOf(name)}`))
    }
    // What as many calls would store.
    const catalogs = catalogsOf(services, org.id)
    const lists = (name: string) => listsOf(services, { owner: org.id, name })
    const [stored, list] = [(await catalogs.get(first))!, (await lists(first).get(PRICE_LISTS))!]
    await bulk(
      services.elastic,
      names.flatMap((name) => [
        catalogs.bulkItem(name, { ...stored.source, name }),
        lists(name).bulkItem(PRICE_LISTS, list.source),
      ]),
    )
    await refreshIndex(services.elastic, 'price-lists')
    await refreshIndex(services.elastic, 'catalogs')
    const now = performance.now.bind(performance)
    let late = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      late += 20
      return now() + late
    })
    await removeDeletedLists(later()).finally(() => clock.mockRestore())
    const left = async (owner: string, name: string) =>
      (await listsOf(services, { owner, name }).get(PRICE_LISTS))!.source.lists.length
    expect(await left(other.id, at)).toBe(0)
    expect(await left(org.id, names.at(-1)!)).toBe(1)
  })

  test('are available only to the children that they name', async () => {
    const child = await newOrganization(service, org.id)
    const [third, other] = [
      await newOrganization(service, org.id),
      await newOrganization(service, org.id),
    ]
    const at = await newShop()
    await putList(at, 'gold', { organizations: [child.id, third.id] })
    await putList(at, 'retail')
    const names = async ({ call }: TestOrganization) =>
      (await call(`GET ${path(at)}`)).body.priceLists.map(({ name }: { name: string }) => name)
    expect(await names(org)).toEqual(['gold', 'retail'])
    expect(await names(child)).toEqual(['gold', 'retail'])
    expect(await names(other)).toEqual(['retail'])
    const seenBy = async ({ call }: TestOrganization) =>
      (await call(`GET ${path(at, 'gold')}`)).body.organizations
    await putList(at, 'gold', { description: 'Still for these two' })
    expect(await seenBy(org)).toEqual([child.id, third.id])
    expect(await seenBy(child)).toEqual([child.id])
    expect(JSON.stringify((await child.call(`GET ${path(at)}`)).body)).not.toContain(third.id)
    expect(await ids({ ...gold, lowPrice: 300 }, { at, call: child.call })).toEqual(['a'])
    expect(outcome(await send(gold, { at, call: other.call }))).toEqual([
      400,
      `priceList: the catalog ${at} has no price list gold; it has retail`,
    ])
    expect((await other.call(`GET ${path(at, 'gold')}/prices`)).status).toBe(404)
    expect((await child.call(`DELETE ${path(at, 'gold')}`)).status).toBe(403)
    const body = { currency: 'EUR', organizations: [child.id, 'nobody'] }
    expect(outcome(await org.call(`PUT ${path(at, 'gold')}`, { body }))).toEqual([
      400,
      expect.stringContaining('organizations[1]'),
    ])
  })

  test('are deleted with their catalog', async () => {
    const at = await newShop()
    await expectOk(org.call(`DELETE /api/Catalog/${at}`))
    expect((await org.call(`GET ${path(at)}`)).status).toBe(404)
    await removeDeletedCatalogs(later())
    await expectOk(org.call('POST /api/Catalog', { body: { name: at } }))
    expect((await org.call(`GET ${path(at)}`)).body.priceLists).toEqual([])
  })
})
