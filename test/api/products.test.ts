import { beforeAll, describe, expect, test } from 'vitest'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { DRILL } from '../support/full-product.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call

const PRODUCTS = '/api/Catalog/c/products'
const at = (id: string) => `${PRODUCTS}/${encodeURIComponent(id)}`
const create = (body: unknown) => call(`POST ${PRODUCTS}`, { body })
const get = async (id: string) => (await expectOk(call(`GET ${at(id)}`))).body
const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  call(`PUT ${at(id)}`, { body, headers })

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
  call = organization.call
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
  await expectOk(create(DRILL))
})

describe('shapes', () => {
  test('6.0 returns Product 4.0, with fields in the documented order', async () => {
    const body = await get('drill')
    expect(Object.keys(body)).toEqual(
      (
        'id description manufacturer manufacturerPartNumber name image catalog unspsc segment ' +
        'category subCategory updatedBy msrp lastUpdated images vendors attributes filters ' +
        'facets links notes extensionFields favorite upcs tags userTags version'
      ).split(' '),
    )
    expect(body).toEqual({
      ...DRILL,
      catalog: 'c',
      updatedBy: 'administrator',
      lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      images: [{ ...DRILL.images[0], isCustom: false }],
      vendors: [
        {
          cost: 120,
          onHand: 4,
          inStock: true,
          vendorPartNumber: 'A-1',
          vendorName: 'Acme',
          status: null,
          name: 'Drill',
        },
        {
          cost: 118.25,
          onHand: 0,
          inStock: false,
          vendorPartNumber: null,
          vendorName: 'Zeta',
          status: 'back-ordered',
          name: null,
        },
      ],
      notes: [],
      extensionFields: [],
      favorite: { company: false, user: false },
      tags: [],
      userTags: [],
      version: '1',
    })
  })

  test('1.0 returns the same without upcs, tags, userTags and version', async () => {
    const { upcs, tags, userTags, version, ...rest } = await get('drill')
    const answer = await call('GET /api/Catalog/c/drill', { version: '1.0' })
    expect(answer.body).toEqual(rest)
    expect(answer.headers.get('content-type')).toBe('application/json; x-api-version=1.0')
  })

  test('includeVendorDetails=false omits vendors', async () => {
    const without = (await call(`GET ${at('drill')}?includeVendorDetails=false`)).body
    const { vendors, ...rest } = await get('drill')
    expect(without).toEqual(rest)
    expect((await call(`GET ${at('drill')}?includeVendorDetails=true`)).body.vendors).toHaveLength(
      2,
    )
    expect((await call(`GET ${at('drill')}?includeVendorDetails=perhaps`)).status).toBe(400)
  })

  test('a product with only an id has every field', async () => {
    await expectOk(create({ id: 'bare' }))
    expect(await get('bare')).toMatchObject({
      name: null,
      msrp: null,
      vendors: [],
      images: [],
      attributes: {},
      filters: {},
      facets: {},
      links: [],
      upcs: [],
    })
  })
})

describe('Create Product', () => {
  test('generates an id for a product without one', async () => {
    for (const id of [undefined, null, '']) {
      const answer = await expectOk(create({ id, name: 'Anonymous' }))
      expect(answer.body).toMatchObject({ success: true, taskId: null })
      expect(await get(answer.body.id)).toMatchObject({ name: 'Anonymous' })
    }
  })

  test('returns 409 for an id in use and changes nothing', async () => {
    const before = await get('drill')
    expect((await create({ id: 'drill', name: 'Other' })).status).toBe(409)
    expect(await get('drill')).toEqual(before)
  })

  test('returns 200 for exactly one of many concurrent creations with one id', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => create({ id: 'once', name: `n${n}` })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(7)
    expect((await get('once')).name).toBe(`n${statuses.indexOf(200)}`)
  })
})

describe('Update Product', () => {
  test('keeps absent fields, clears null and empty ones, and replaces lists and objects', async () => {
    await expectOk(create({ ...DRILL, id: 'patched' }))
    await expectOk(
      put('patched', {
        description: null,
        segment: '',
        msrp: null,
        name: ' New ',
        attributes: { Torque: '55 Nm' },
        facets: null,
        vendors: [{ vendorName: 'Zeta', cost: 99, inStock: true }],
      }),
    )
    expect(await get('patched')).toMatchObject({
      description: null,
      segment: null,
      msrp: null,
      name: 'New',
      manufacturer: 'Bosch',
      attributes: { Torque: '55 Nm' },
      facets: {},
      filters: DRILL.filters,
      upcs: DRILL.upcs,
      version: '2',
      vendors: [{ vendorName: 'Zeta', cost: 99, onHand: null, inStock: true }],
    })
  })

  test.each(['PUT', 'POST'])('%s in 1.0 changes the fields of a 1.0 product', async (method) => {
    const id = `by ${method}`
    await expectOk(create({ ...DRILL, id }))
    const line = `${method} /api/Catalog/c/${encodeURIComponent(id)}`
    await expectOk(call(line, { version: '1.0', body: { name: 'Changed', upcs: ['1'] } }))
    expect(await get(id)).toMatchObject({ name: 'Changed', upcs: DRILL.upcs })
  })

  test('accepts a returned product and changes nothing', async () => {
    const got = await get('drill')
    const answer = await expectOk(put('drill', got))
    expect(answer.body.message).toBe('Nothing to change.')
    await expectOk(put('drill', (await call(`GET ${at('drill')}?includeVendorDetails=false`)).body))
    const got10 = (await call('GET /api/Catalog/c/drill', { version: '1.0' })).body
    for (const method of ['PUT', 'POST']) {
      await expectOk(call(`${method} /api/Catalog/c/drill`, { version: '1.0', body: got10 }))
    }
    expect(await get('drill')).toEqual(got)
  })

  test('ignores fields that the service owns, and refuses unknown ones', async () => {
    const before = await get('drill')
    await expectOk(
      put('drill', {
        catalog: 'other',
        lastUpdated: '1999-01-01T00:00:00Z',
        updatedBy: 'nobody',
        favorite: { company: true, user: true },
        notes: [{ username: 'x', text: 'y' }],
        extensionFields: [{ extensionId: 'a', key: 'b', value: 'c' }],
        tags: ['t'],
        userTags: ['u'],
        version: '77',
        images: [...before.images, { url: 'https://example.com/mine.png', isCustom: true }],
      }),
    )
    expect(await get('drill')).toEqual(before)
    const refused = await put('drill', { name: 'Other', vendors: [{ vendorname: 'Oakvale' }] })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'vendors[0].vendorname: unknown field; did you mean "vendorName"?',
    ])
    expect(await get('drill')).toEqual(before)
  })

  test('honors If-Match, with and without quotes', async () => {
    await expectOk(create({ id: 'matched', name: 'a' }))
    await expectOk(put('matched', { name: 'b' }, { 'if-match': '"1"' }))
    await expectOk(put('matched', { name: 'c' }, { 'if-match': '2' }))
    await expectOk(put('matched', { name: 'd' }, { 'if-match': '*' }))
    const stale = await put('matched', { name: 'e' }, { 'if-match': '2' })
    expect(stale.status).toBe(412)
    expect(await get('matched')).toMatchObject({ name: 'd', version: '4' })
    expect((await call(`DELETE ${at('matched')}`, { headers: { 'if-match': '1' } })).status).toBe(
      412,
    )
    await expectOk(call(`DELETE ${at('matched')}`, { headers: { 'if-match': '4' } }))
  })

  test('returns 400 for another id in the body', async () => {
    expect((await put('drill', { id: 'saw' })).status).toBe(400)
  })
})

describe('Retrieve Products', () => {
  test.each(['1.0', '6.0'])(
    'under %s: returns 1.0 shapes in the requested order, without missing products',
    async (version) => {
      await create({ id: 'second', name: 'Second' })
      const answer = await call('POST /api/Catalog/c/retrieveProducts', {
        version,
        body: { ids: ['second', 'nothing', null, '', 'drill', '..'] },
      })
      expect(answer.status).toBe(200)
      expect(answer.body.map(({ id }: { id: string }) => id)).toEqual(['second', 'drill'])
      expect(answer.body[1]).toEqual(
        (await call('GET /api/Catalog/c/drill', { version: '1.0' })).body,
      )
    },
  )

  test('accepts no ids and 500, but not 501', async () => {
    const retrieve = (body: unknown) => call('POST /api/Catalog/c/retrieveProducts', { body })
    expect((await retrieve({ ids: null })).body).toEqual([])
    expect((await retrieve({})).body).toEqual([])
    const ids = Array.from({ length: 500 }, (_, n) => `none ${n}`)
    expect((await retrieve({ ids })).status).toBe(200)
    expect((await retrieve({ ids: [...ids, 'x'] })).status).toBe(400)
    expect((await retrieve({ ids: 'drill' })).status).toBe(400)
  })
})

describe('Delete Product', () => {
  test('deletes the product; a second time returns 404', async () => {
    await expectOk(create({ id: 'gone' }))
    await expectOk(call(`DELETE ${at('gone')}`))
    expect((await call(`GET ${at('gone')}`)).status).toBe(404)
    expect((await call(`DELETE ${at('gone')}`, { version: '1.0' })).status).toBe(404)
    await expectOk(create({ id: 'gone', name: 'again' }))
    expect(await get('gone')).toMatchObject({ name: 'again', version: '1' })
  })
})
