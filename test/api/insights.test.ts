import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { importFile, newCatalog } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

interface Insight {
  readonly vendor: string
  readonly price: number | null
  readonly onHand: number | null
  readonly date: string
}

/** A service with a clock in a year of its own, and one organization. */
async function at(start: string, options: { node?: string } = {}) {
  let time = Date.parse(start)
  const service = await startService({ ...options, clock: { now: () => new Date(time) } })
  const organization = await newOrganization(service)
  await newCatalog(organization)
  return {
    service,
    organization,
    call: organization.call,
    go: (to: string) => (time = Date.parse(to)),
  }
}

let service: TestService
let organization: TestOrganization
let call: Call
let go: (to: string) => number

beforeAll(async () => {
  ;({ service, organization, call, go } = await at('2033-01-31T22:00:00.000Z'))
})

const path = (id: string) => `/api/Catalog/c/products/${id}`
const insights = async (id: string, query = '', by = call): Promise<Insight[]> =>
  (await expectOk(by(`GET ${path(id)}/insights${query}`))).body.vendorInsights
const create = (body: object, by = call) => expectOk(by('POST /api/Catalog/c/products', { body }))
const offers = (id: string, vendors: object[], by = call) =>
  expectOk(by(`PUT ${path(id)}`, { body: { vendors } }))
const short = (points: Insight[]) =>
  points.map(({ vendor, price, onHand, date }) => [vendor, price, onHand, date.slice(5, 13)])

describe('Get Insights', () => {
  test('returns each price and one stock value per day, across months, immediately and later', async () => {
    await create({ id: 'a', manufacturerPartNumber: 'M-1' })
    await offers('a', [{ vendorName: 'Acme', vendorPartNumber: 'A-1', cost: 5, onHand: 9 }])
    go('2033-01-31T23:00:00.000Z')
    await offers('a', [{ vendorName: 'Acme', vendorPartNumber: 'A-1', cost: 4, onHand: 9 }])
    go('2033-02-01T01:00:00.000Z')
    await offers('a', [{ vendorName: 'Acme', vendorPartNumber: 'A-1', cost: 4, onHand: 8 }])
    go('2033-02-01T02:00:00.000Z')
    await offers('a', [{ vendorName: 'Acme', vendorPartNumber: 'A-1', cost: 4, onHand: 0 }])
    await expectOk(call(`PUT ${path('a')}`, { body: { name: 'No offer' } }))
    go('2033-02-01T03:00:00.000Z')
    await offers('a', [{ vendorName: 'Zeta', cost: 3 }])
    const expected = [
      ['Acme', 5, 9, '01-31T22'],
      ['Acme', 4, 9, '01-31T23'],
      ['Acme', 4, 0, '02-01T02'],
      ['Zeta', 3, null, '02-01T03'],
      ['Acme', null, null, '02-01T03'],
    ]
    const now = await insights('a')
    expect(short(now)).toEqual(expected)
    expect(now[0]).toEqual({
      id: expect.any(String),
      vendor: 'Acme',
      vendorPartNumber: 'A-1',
      manufacturerPartNumber: 'M-1',
      date: '2033-01-31T22:00:00.000Z',
      price: 5,
      inStock: true,
      onHand: 9,
    })
    await service.services.background.settled()
    await expect.poll(() => insights('a')).toEqual(now)
    const under10 = await call('GET /api/Catalog/c/a/insights', { version: '1.0' })
    expect(under10.body.vendorInsights).toEqual(now)
  })

  test.each([
    ['?vendor=Zeta', 1],
    ['?vendor=', 5],
    ['?from=2033-02-01', 3],
    ['?to=2033-01-31', 2],
    ['?from=2033-01-31&to=2033-02-01&vendor=Acme', 4],
    ['?from=2033-02-01T03:30:00%2B01:00', 2],
  ])('is filtered by %s', async (query, length) => {
    expect(await insights('a', query)).toHaveLength(length)
  })

  test.each(['from=x', 'to=2033-13-01', 'from=2033-02-02&to=2033-02-01', 'from=2033'])(
    'returns 400 for %s',
    async (query) => {
      expect((await call(`GET ${path('a')}/insights?${query}`)).status).toBe(400)
    },
  )

  test('returns nothing for a product without offers, and 404 for a missing one', async () => {
    await create({ id: 'bare', msrp: 5 })
    expect(await insights('bare')).toEqual([])
    const answer = await call(`GET ${path('missing')}/insights`)
    expect([answer.status, answer.body.message]).toEqual([404, 'Product not found.'])
  })

  test('ends the offers of a deleted product when another one gets its id', async () => {
    go('2033-03-01T00:00:00.000Z')
    const vendors = ['Acme', 'Zeta', 'Nord'].map((vendorName) => ({ vendorName, cost: 5 }))
    await create({ id: 'again', vendors })
    go('2033-03-01T01:00:00.000Z')
    await offers('again', vendors.slice(1))
    await expectOk(call(`DELETE ${path('again')}`))
    go('2033-03-01T02:00:00.000Z')
    await create({ id: 'again', vendors: [{ vendorName: 'Nord', cost: 7 }] })
    const hours = async (query = '') =>
      (await insights('again', query))
        .map(({ vendor, price, date }) => `${date.slice(11, 13)} ${vendor} ${price}`)
        .sort()
    // What was pending when the product was deleted is found within a second.
    await expect
      .poll(() => hours())
      .toEqual(['00 Acme 5', '00 Nord 5', '00 Zeta 5', '01 Acme null', '02 Nord 7', '02 Zeta null'])
    expect(await hours('?vendor=Zeta')).toEqual(['00 Zeta 5', '02 Zeta null'])
    expect(await hours('?vendor=Zeta&to=2033-03-01T01:30:00Z')).toEqual(['00 Zeta 5'])
  })

  test('returns the prices of a copy, and a price that changed back', async () => {
    await create({ id: 'copied', vendors: [{ vendorName: 'Acme', cost: 1 }] })
    await newCatalog(organization, 'd')
    await expectOk(call(`POST ${path('copied')}/copyToCatalog/d`))
    const there = await call('GET /api/Catalog/d/products/copied/insights')
    expect(there.body.vendorInsights).toMatchObject([{ vendor: 'Acme', price: 1 }])
    for (const cost of [2, 1, 2]) await offers('copied', [{ vendorName: 'Acme', cost }])
    expect((await insights('copied')).map(({ price }) => price)).toEqual([1, 2, 1, 2])
  })
})

const rows = (prices: readonly [string, string, number, number][]) =>
  [
    'id,vendor,price,stock',
    ...prices.map(([id, vendor, price, stock]) => `${id},${vendor},${price},${stock}`),
  ].join('\n')

describe('an import', () => {
  test('records new prices and stock, and nothing for unchanged offers', async () => {
    const { call, go } = await at('2034-05-01T10:00:00.000Z')
    const told = async (id: string) => short(await insights(id, '', call))
    const first = rows([
      ['p', 'Acme', 5, 1],
      ['p', 'Zeta', 6, 0],
      ['q', 'Acme', 7, 1],
    ])
    expect((await importFile(call, first)).status).toBe('completed')
    go('2034-05-02T10:00:00.000Z')
    expect(await importFile(call, first)).toMatchObject({ unchanged: 3, updated: 0 })
    const second = rows([
      ['p', 'Acme', 4, 1],
      ['p', 'Zeta', 6, 3],
    ])
    expect(await importFile(call, second)).toMatchObject({ updated: 2 })
    const expected = [
      ['Acme', 5, 1, '05-01T10'],
      ['Zeta', 6, 0, '05-01T10'],
      ['Acme', 4, 1, '05-02T10'],
      ['Zeta', 6, 3, '05-02T10'],
    ]
    await expect.poll(() => told('p')).toEqual(expected)
    expect(await told('q')).toEqual([['Acme', 7, 1, '05-01T10']])
  })

  test('that deletes a product and creates it again ends the offers that are gone', async () => {
    const { call, go } = await at('2034-05-03T10:00:00.000Z')
    const first = rows([
      ['p', 'Acme', 5, 1],
      ['p', 'Zeta', 6, 1],
    ])
    expect(await importFile(call, first)).toMatchObject({ created: 1 })
    go('2034-05-03T11:00:00.000Z')
    const second = 'id,vendor,price,stock,_delete\np,,,,yes\np,Acme,5,1,no'
    expect(await importFile(call, second)).toMatchObject({ status: 'completed', rejected: 0 })
    const told = async () => short(await insights('p', '', call))
    await expect.poll(told).toEqual([
      ['Acme', 5, 1, '05-03T10'],
      ['Zeta', 6, 1, '05-03T10'],
      ['Zeta', null, null, '05-03T11'],
    ])
  })

  test('keeps them if Elasticsearch was unavailable in between', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const { call } = await at('2034-06-01T10:00:00.000Z', { node: proxy.node })
    await create({ id: 'p', vendors: [{ vendorName: 'Acme', cost: 1 }] }, call)
    let bulks = 0
    proxy.set('dropAnswer', (line) => line.includes('_bulk') && bulks++ % 3 < 2)
    const task = await importFile(call, rows([['p', 'Acme', 2, 0]]))
    proxy.set('none')
    expect(task).toMatchObject({ status: 'completed' })
    const prices = async () => (await insights('p', '', call)).map(({ price }) => price)
    await expect.poll(prices).toEqual([1, 2])
    await proxy.close()
  })
})
