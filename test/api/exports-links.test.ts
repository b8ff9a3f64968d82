import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call
let catalog: string

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
  call = organization.call
  catalog = await seedCatalog(service, organization, [
    {
      id: 'D-100',
      name: 'Cordless drill driver 18 V',
      manufacturer: 'HP Inc.',
      manufacturerPartNumber: 'DS18-040',
      upcs: ['0012345678905'],
      vendors: [{ vendorName: 'Nord', vendorPartNumber: 'N-77' }],
      links: [{ type: 'shop', value: 'https://shop.example/d100', recommended: false }],
    },
    {
      id: 'D-101',
      name: 'Cordless drill driver 12 V',
      manufacturer: 'Hartspindle',
      manufacturerPartNumber: 'ds18040',
    },
    { id: 'W-300', name: 'Combination wrench 19 mm', manufacturer: 'Hartspindle' },
    { id: 'N77', name: 'Something else' },
  ])
})

afterAll(() => service.stop())

const post = async (path: string, body: object, by = call) =>
  by(`POST /api/extensions/${path}`, { body })

const named = (...ids: string[]) => ({
  products: ids.map((acId) => ({ acId, acCatalog: catalog })),
})

describe('links', () => {
  const link = (type: string, acId: string, externalId: string, address: string | null = null) => ({
    type,
    acId,
    acCatalog: catalog,
    externalId,
    link: address,
    user: null,
  })

  test('of one type are returned in the order of the request, with addresses unchanged', async () => {
    await expectOk(call(`PUT /api/Catalog/${catalog}/products/D-100/links/erp/4711`))
    await expectOk(call(`PUT /api/Catalog/${catalog}/products/W-300/links/erp/4712`))
    await expectOk(call(`PUT /api/Catalog/${catalog}/products/D-100/links/csv/row-1`))
    const erp = await post('links/erp', named('W-300', 'D-100', 'N77', 'gone'))
    expect(erp.body.links).toEqual([link('erp', 'W-300', '4712'), link('erp', 'D-100', '4711')])
    const shop = await post('links/shop', named('D-100'))
    const address = 'https://shop.example/d100'
    expect(shop.body.links).toEqual([link('shop', 'D-100', address, address)])
    const csv = await post('export/csv/existing', named('D-100'))
    expect(csv.body.links).toEqual([link('csv', 'D-100', 'row-1')])
  })

  test('of another organization or of a foreign product are not returned', async () => {
    const child = await newOrganization(service, organization.id)
    const stranger = await newOrganization(service)
    for (const { call: by } of [child, stranger]) {
      expect((await post('links/erp', named('D-100'), by)).body).toEqual({ links: [] })
    }
  })

  test('can be read by viewers, in the default catalog for products without one', async () => {
    const viewer = await organization.as('viewer')
    expect((await post('links/erp', named('D-100'), viewer)).status).toBe(200)
    const bare = { products: [{ acId: 'D-100' }] }
    expect((await post('links/erp', bare, viewer)).status).toBe(400)
    await expectOk(call('PUT /api/organizations/current', { body: { defaultCatalog: catalog } }))
    expect((await post('links/erp', bare, viewer)).body.links).toHaveLength(1)
    expect((await post('links/erp', {}, viewer)).body).toEqual({ links: [] })
  })

  test('return 404 for an unknown extension; none exist without a type', async () => {
    expect((await post('export/nothing/existing', named('D-100'))).status).toBe(404)
    expect((await post('links/nothing', named('D-100'))).body).toEqual({ links: [] })
  })
})

describe('possible matches', () => {
  const matches = async (additionalFields: Record<string, string>, more: object = {}) => {
    const fields = { catalog, ...additionalFields }
    const { body } = await expectOk(
      post('export/csv/possibleMatches', { additionalFields: fields, ...more }),
    )
    return body.products.map(({ acId, id, score, reason }: Record<string, unknown>) => [
      acId,
      id,
      score,
      reason,
    ])
  }

  test('are found by manufacturer and part number in any spelling', async () => {
    const item = { id: 'ext-1', partNumber: 'ds 18/040', manufacturer: 'Hewlett-Packard' }
    expect(await matches(item)).toEqual([
      ['D-100', 'ext-1', 0.98, 'manufacturer and part number'],
      ['D-101', 'ext-1', 0.45, 'part number, different manufacturer'],
    ])
    expect(await matches({ partNumber: 'DS18-040' })).toEqual([
      ['D-100', 'DS18-040', 0.9, 'part number'],
      ['D-101', 'DS18-040', 0.9, 'part number'],
    ])
  })

  test('are found by UPC, vendor part number and id', async () => {
    expect(await matches({ upc: '12345678905' })).toEqual([['D-100', '12345678905', 1, 'UPC']])
    expect(await matches({ partNumber: 'n77' })).toEqual([
      ['D-100', 'n77', 0.8, 'part number of the vendor Nord'],
      ['N77', 'n77', 0.7, 'part number matches the id'],
    ])
  })

  test('are found by words, those with more of them first', async () => {
    expect(await matches({ id: 'x', name: 'Drill driver, cordless (18 V)' })).toEqual([
      ['D-100', 'x', 0.7, '5 of 5 words'],
      ['D-101', 'x', 0.56, '4 of 5 words'],
    ])
    expect(await matches({ name: 'xyzzy' })).toEqual([])
  })

  test('of a product do not include the product itself', async () => {
    expect(await matches({}, { products: [{ id: 'D-100', catalog }] })).toEqual([
      ['D-100', 'D-101', 0.45, 'part number, different manufacturer'],
    ])
  })

  test('are found only in the organization’s own catalogs', async () => {
    const stranger = await newOrganization(service)
    const fields = { catalog, name: 'drill' }
    const answer = await post(
      'export/csv/possibleMatches',
      { additionalFields: fields },
      stranger.call,
    )
    expect(answer).toMatchObject({ status: 404, body: { message: 'Catalog not found.' } })
  })

  test('return 400 if nothing or too much is given', async () => {
    const ask = (body: object) => post('export/csv/possibleMatches', body)
    expect((await ask({ additionalFields: { catalog } })).status).toBe(400)
    const many = await seedCatalog(
      service,
      organization,
      Array.from({ length: 26 }, (_, n) => ({ id: `P${n}`, name: `Product ${n}` })),
    )
    const products = Array.from({ length: 26 }, (_, n) => ({ id: `P${n}`, catalog: many }))
    expect(await ask({ products })).toMatchObject({
      status: 400,
      body: { message: 'products: at most 25 at once' },
    })
  })

  test('are found for long and odd texts', async () => {
    for (const name of ['x'.repeat(60_000), 'a '.repeat(30_000), '"(*?[', '🪛']) {
      const answer = await post('export/csv/possibleMatches', {
        additionalFields: { catalog, name },
      })
      expect(answer.status).toBe(200)
    }
    const long = { partNumber: '1'.repeat(60_000), upc: '0'.repeat(60_000) }
    const answer = await post('export/csv/possibleMatches', {
      additionalFields: { catalog, ...long },
    })
    expect(answer.body).toMatchObject({ success: true, products: [] })
  })
})

describe('options', () => {
  const options = (path: string, body: object = {}, by = call) =>
    post(`export/csv/${path}/options`, body, by)

  test('are the values that a field can have, with the default first', async () => {
    const { body } = await options('delimiter')
    expect(body).toEqual({
      error: null,
      success: true,
      options: [
        { value: 'comma', display: 'comma', default: true },
        { value: 'semicolon', display: 'semicolon', default: false },
        { value: 'tab', display: 'tab', default: false },
      ],
    })
    expect((await options('encoding', { search: 'BOM' })).body.options).toHaveLength(1)
  })

  test('return 404 for an unknown field, and an empty list for a field without options', async () => {
    expect(await options('nothing')).toMatchObject({
      status: 404,
      body: { message: 'Field not found.' },
    })
    expect((await options('search')).body.options).toEqual([])
  })

  test('are only for editors; a foreign catalog returns 404', async () => {
    expect((await options('delimiter', {}, await organization.as('viewer'))).status).toBe(403)
    const stranger = await newOrganization(service)
    const path = `export/csv/columns/options?catalog=${catalog}`
    expect((await post(path, {}, stranger.call)).status).toBe(404)
  })
})
