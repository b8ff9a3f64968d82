import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { registrationsOf } from '../../src/extensions/registrations.ts'
import { SHARED, sharedValuesOf } from '../../src/extensions/store.ts'
import { PATIENCE } from '../support/annotations.ts'
import { seedCatalog } from '../support/catalog.ts'
import { caller, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'
import {
  each,
  installVendor,
  registerVendor,
  startVendor,
  type TestVendor,
  toLoopback,
} from '../support/vendor.ts'

let service: TestService
let vendor: TestVendor
let other: TestVendor

beforeAll(async () => {
  service = await startService({ outbound: toLoopback })
  vendor = await startVendor()
  other = await startVendor()
})
afterAll(async () => {
  await service.stop()
  await Promise.all([vendor.close(), other.close()])
})

const offers = [
  { vendorName: 'Oakvale', vendorPartNumber: 'OV-1', cost: 9, onHand: 2, inStock: true, name: 'D' },
]
const drill = {
  id: 'D-1',
  manufacturer: 'Drakesmoor',
  manufacturerPartNumber: 'M-1',
  vendors: offers,
}
const wrench = { id: 'W-1', manufacturer: 'Drakesmoor', manufacturerPartNumber: 'M-2' }

let org: TestOrganization
let catalog: string
beforeEach(async () => {
  org = await newOrganization(service)
  catalog = await seedCatalog(service, org, [drill, wrench, { id: 'X-1' }])
  vendor.does(each({ cost: 8.5, onHand: 7, active: true }))
  other.does(each({ cost: 11, onHand: 0 }))
})

const products = (...ids: string[]) => ({ products: ids.map((id) => ({ catalog, id })) })
const runAll = (body: object, parts = {}) =>
  org.call('POST /api/extensions/realtime/run', { body, ...parts })
const runOne = (id: string, body: object, call = org.call) =>
  call(`POST /api/extensions/realtime/${id}/run`, { body })
/** The product after all answers were stored. */
const product = async (id: string) => {
  await service.services.background.settled()
  return (await expectOk(org.call(`GET /api/Catalog/${catalog}/products/${id}`))).body
}

describe('Run All Real Time Extensions', () => {
  test.each(['1.0', '6.0'])('calls every vendor for every product, under %s', async (version) => {
    await installVendor(org, vendor, { vendor: 'Oakvale' })
    await installVendor(org, other, { vendor: 'Tidewell' })
    vendor.does(
      each({
        cost: 8.5,
        active: true,
        description: 'Drill',
        warehouses: [
          { warehouse: 'North', onHand: 3, inStockDate: null },
          { warehouse: 'South', onHand: 4, inStockDate: '2026-12-01T00:00:00Z' },
        ],
      }),
    )
    const { body } = await expectOk(runAll(products('D-1', 'W-1'), { version }))
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(body.items[0]).toEqual({
      id: 'D-1',
      catalog,
      vendors: [
        {
          vendorName: 'Oakvale',
          vendorPartNumber: 'OV-1',
          manufacturerPartNumber: 'M-1',
          description: 'Drill',
          error: null,
          active: true,
          onHand: 7,
          cost: 8.5,
          inStockDate: null,
          warehouses: [
            { warehouse: 'North', onHand: 3, inStockDate: null },
            { warehouse: 'South', onHand: 4, inStockDate: '2026-12-01T00:00:00Z' },
          ],
          checkedAt: time,
        },
        expect.objectContaining({ vendorName: 'Tidewell', cost: 11, onHand: 0, error: null }),
      ],
    })
    expect(body.items[1].vendors.map((one: { cost: number }) => one.cost)).toEqual([8.5, 11])
    // One call for all products; products without a vendor's number go by the manufacturer's.
    expect(vendor.asked).toHaveLength(1)
    expect(vendor.asked[0]!.request.products).toMatchObject([
      { id: 'D-1', vendorPartNumber: 'OV-1', manufacturerPartNumber: 'M-1' },
      { id: 'W-1', vendorPartNumber: null, manufacturerPartNumber: 'M-2', catalog },
    ])
  })

  test('explains for each product without offers why there are none', async () => {
    await installVendor(org, vendor, { vendor: 'Oakvale' })
    const { body } = await expectOk(runAll(products('nothing', 'X-1', 'D-1', 'D-1')))
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(['nothing', 'X-1', 'D-1'])
    expect(body.items[0].vendors).toEqual([])
    expect(body.items[1].vendors[0]).toMatchObject({
      vendorName: 'Oakvale',
      error: 'The product has no part number, which the request needs.',
      active: true,
      cost: null,
    })
  })

  test('accepts a workspace', async () => {
    await installVendor(org, vendor, { vendor: 'Oakvale' })
    await expectOk(org.call(`POST /api/Catalog/${catalog}/products/W-1/addToWorkspace/desk`))
    const { body } = await expectOk(runAll({ ...products('D-1'), workspace: 'desk' }))
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(['D-1', 'W-1'])
    // The vendor gets the workspace's id, which never changes.
    const desk = (await expectOk(org.call('GET /api/workspaces/desk'))).body.id
    expect(vendor.asked[0]!.request.workspace).toBe(desk)
    expect((await runAll({ workspace: 'none' })).status).toBe(404)
  })

  test('refuses a request without products, or for a missing catalog', async () => {
    expect((await runAll({})).body.message).toBe('products: send at least one, or a workspace')
    expect((await runAll({ products: [{ catalog: 'none', id: 'D-1' }] })).status).toBe(404)
    expect((await runAll({ products: [{ catalog, id: 7 }] })).status).toBe(400)
    const many = Array.from({ length: 501 }, (_, n) => ({ catalog, id: `p${n}` }))
    expect((await runAll({ products: many })).status).toBe(400)
  })

  test('refuses values that are too long for so many vendors', async () => {
    await registerVendor(org.call, vendor, { id: 'one' })
    const install = (extensionNickname: string) =>
      expectOk(
        org.call('POST /api/extensions/available/one/install', { body: { extensionNickname } }),
      )
    const long = Array.from({ length: 30 }, (_, n) => [`f${n}`, 'x'.repeat(65_000)])
    const body = { ...products('D-1'), additionalFields: Object.fromEntries(long) }
    await Promise.all(['a', 'b'].map(install))
    const { items } = (await expectOk(runAll(body))).body
    expect(items[0].vendors.map((one: { cost: number }) => one.cost)).toEqual([8.5, 8.5])
    await Promise.all(['c', 'd', 'e'].map(install))
    const refused = await runAll(body)
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'additionalFields: at most 1677721 characters in total for 5 vendors; shorten them, or run the vendors one by one',
    ])
  })

  test('reads what its vendors have in common once, and nothing for a refused request', async () => {
    const fields = [{ field: 'token', sharedKey: 'k' }]
    await registerVendor(org.call, vendor, { id: 'one', fields })
    for (const extensionNickname of ['a', 'b', 'c']) {
      const body = { extensionNickname, additionalData: { token: 't' } }
      await expectOk(org.call('POST /api/extensions/available/one/install', { body }))
    }
    const reads: string[] = []
    const { diagnostic } = service.services.elastic.client
    const registrations = registrationsOf(service.services, org.id)
    const shared = sharedValuesOf(service.services, org.id)
    const names = new Map([
      [registrations.documentId('one'), 'registration'],
      [shared.documentId(SHARED), 'shared'],
    ])
    const note = (_: unknown, event: { meta: { request: { params: { path: string } } } }) => {
      const name = names.get(event.meta.request.params.path.split(/[/?]/).at(3) ?? '')
      if (name) reads.push(name)
    }
    diagnostic.on('request', note as never)
    onTestFinished(() => void diagnostic.off('request', note as never))
    expect((await runAll({})).status).toBe(400)
    const { items } = (await expectOk(runAll(products('D-1')))).body
    expect(items[0].vendors).toHaveLength(3)
    expect(vendor.asked[0]!.installation.fields).toEqual({ token: 't' })
    expect(reads.toSorted()).toEqual(['registration', 'shared'])
  })

  test('is for users, not for keys that are used in pages', async () => {
    const viewer = await org.as('viewer')
    const line = 'POST /api/extensions/realtime/run'
    expect((await viewer(line, { body: products('D-1') })).status).toBe(200)
    const searching = caller(service, { key: await org.key('viewer', 'search') })
    expect((await searching(line, { body: products('D-1') })).status).toBe(403)
  })

  test('skips vendors that are disabled, for other catalogs, or of other users', async () => {
    const id = await installVendor(org, vendor, { vendor: 'Oakvale' })
    await installVendor(org, other, {
      vendor: 'Mine',
      more: { extensionLevel: 'user' },
    })
    const names = async (call = org.call) => {
      const { body } = await expectOk(
        call('POST /api/extensions/realtime/run', { body: products('D-1') }),
      )
      return body.items[0].vendors.map((one: { vendorName: string }) => one.vendorName)
    }
    const change = (body: object) =>
      expectOk(org.call(`PUT /api/extensions/installed/${id}`, { body }))
    expect(await names()).toEqual(['Oakvale', 'Mine'])
    expect(await names(await org.as('viewer'))).toEqual(['Oakvale'])
    const elsewhere = await seedCatalog(service, org, [])
    await change({ catalogFilter: [elsewhere] })
    expect(await names()).toEqual(['Mine'])
    await change({ catalogFilter: [elsewhere, catalog] })
    expect(await names()).toEqual(['Oakvale', 'Mine'])
    await change({ enabled: false })
    expect(await names()).toEqual(['Mine'])
    // A user's own agreement with a vendor is visible to that user only.
    const shown = (await product('D-1')).vendors.map(
      (one: { vendorName: string }) => one.vendorName,
    )
    expect(shown).toEqual(['Oakvale'])
  })
})

describe('Run Real Time Extension', () => {
  test.each(['1.0', '6.0'])(
    'calls one vendor and returns an item for each product, under %s',
    async (version) => {
      const id = await installVendor(org, vendor, { vendor: 'Oakvale' })
      vendor.does(each({ cost: 8, onHand: 1, status: 'new', active: false }))
      const { body } = await expectOk(
        org.call(`POST /api/extensions/realtime/${id}/run`, {
          version,
          body: products('W-1', 'nothing', 'D-1'),
        }),
      )
      expect(body).toMatchObject({ success: true, error: null })
      expect(body.items).toMatchObject([
        { id: 'W-1', catalog, manufacturerPartNumber: 'M-2', cost: 8, status: 'new', error: null },
        { id: 'nothing', error: 'Product not found.', active: true },
        { id: 'D-1', vendorPartNumber: 'OV-1', cost: 8, active: false },
      ])
      expect('vendorName' in body.items[0]).toBe(false)
    },
  )

  test('stores nothing for an installation without a vendor, whatever its name', async () => {
    const before = (await product('D-1')).vendors
    const more = { vendor: null, extensionNickname: before[0].vendorName }
    const id = await installVendor(org, vendor, { vendor: '', more })
    const { body } = await expectOk(
      org.call(`POST /api/extensions/realtime/${id}/run`, { body: products('D-1') }),
    )
    expect(body.items).toMatchObject([{ cost: 8.5, error: null }])
    await service.services.background.settled()
    expect((await product('D-1')).vendors).toEqual(before)
  })

  test('validates the values of a run by the definitions of their fields', async () => {
    const fields = [{ field: 'days', dataType: 'number', adHocOnlyField: true }]
    const id = await installVendor(org, vendor, { vendor: 'Oakvale', fields })
    const body = { ...products('D-1'), additionalFields: { days: 'three' } }
    const answer = await expectOk(org.call(`POST /api/extensions/realtime/${id}/run`, { body }))
    expect(answer.body.error).toBe('additionalFields.days: must be a number')
    expect(vendor.asked).toEqual([])
  })

  test('keeps the other items if one is malformed, which is logged', async () => {
    const id = await installVendor(org, vendor, { vendor: 'Oakvale' })
    vendor.does(each((one) => ({ cost: (one === 'D-1' ? '8' : 9) as number })))
    const { body } = await expectOk(
      org.call(`POST /api/extensions/realtime/${id}/run`, { body: products('D-1', 'W-1') }),
    )
    expect(body.items).toMatchObject([
      { id: 'D-1', cost: null, active: true, error: expect.stringContaining('items[0].cost') },
      { id: 'W-1', cost: 9, error: null },
    ])
    await service.services.background.settled()
    const logs = (await org.call(`GET /api/extensions/installed/${id}/logs`)).body.items
    expect(logs[0].message).toMatch(
      /^Offers received for 1 of 2 products\. OV-1: .*items\[0\]\.cost/,
    )
  })

  test('reports a failure of the vendor', async () => {
    const id = await installVendor(org, vendor, { vendor: 'Oakvale' })
    vendor.does(() => ({ error: 'Your contract has ended.', items: [] }))
    const { body } = await expectOk(runOne(id, products('D-1')))
    expect(body).toMatchObject({ success: false, error: 'Your contract has ended.' })
    expect(body.items).toMatchObject([{ id: 'D-1', error: 'Your contract has ended.' }])
  })

  test('reports that the installation is not for this catalog', async () => {
    const elsewhere = await seedCatalog(service, org, [])
    const more = { catalogFilter: [elsewhere] }
    const id = await installVendor(org, vendor, { vendor: 'Oakvale', more })
    const { body } = await expectOk(runOne(id, products('D-1')))
    expect(body.items[0].error).toBe('The extension is not installed for this catalog.')
    expect(vendor.asked).toEqual([])
  })

  test('refuses a disabled installation; a foreign one returns the same as a missing one', async () => {
    const id = await installVendor(org, vendor, { vendor: 'Oakvale' })
    const stranger = await newOrganization(service)
    const body = { products: [{ catalog, id: 'D-1' }] }
    const foreign = await runOne(id, body, stranger.call)
    const missing = await runOne(crypto.randomUUID(), body, stranger.call)
    expect([foreign.status, foreign.body]).toEqual([404, missing.body])
    await expectOk(org.call(`PUT /api/extensions/installed/${id}`, { body: { enabled: false } }))
    expect((await runOne(id, products('D-1'))).status).toBe(400)
    expect(vendor.asked).toEqual([])
  })

  test('logs each call with its outcome', async () => {
    const id = await installVendor(org, vendor, { vendor: 'Oakvale' })
    vendor.does(() => ({ items: [{ vendorPartNumber: 'OV-1' }, { vendorPartNumber: 'Z' }] }))
    await expectOk(runOne(id, products('D-1', 'W-1')))
    const logs = async () =>
      (await expectOk(org.call(`GET /api/extensions/installed/${id}/logs`))).body.items
    await expect.poll(logs).toMatchObject([
      {
        action: 'run',
        username: 'administrator',
        success: true,
        message: 'Offers received for 1 of 2 products. Not requested: Z.',
        productCount: 2,
        productsSkipped: 1,
      },
    ])
  })
})

describe('a vendor’s answer', () => {
  test('becomes its offer: in searches and Insights, but not in the log', async () => {
    const id = await installVendor(org, vendor, { vendor: 'Oakvale' })
    const before = await product('D-1')
    await expectOk(runOne(id, products('D-1', 'W-1'), await org.as('viewer')))
    const after = await product('D-1')
    expect(after.vendors).toEqual([{ ...before.vendors[0], cost: 8.5, onHand: 7 }])
    expect(after).toMatchObject({ updatedBy: 'administrator', version: '2' })
    expect((await product('W-1')).vendors).toEqual([
      {
        cost: 8.5,
        onHand: 7,
        inStock: true,
        vendorPartNumber: null,
        vendorName: 'Oakvale',
        status: null,
        name: null,
      },
    ])
    await vi.waitFor(async () => {
      const body = { vendors: ['Oakvale'], highPrice: 8.5 }
      const found = await expectOk(org.call(`POST /api/search?catalog=${catalog}`, { body }))
      expect(found.body.total).toBe(2)
      const path = `/api/Catalog/${catalog}/products/D-1`
      const insights = await expectOk(org.call(`GET ${path}/insights`))
      expect(insights.body.vendorInsights).toMatchObject([
        { vendor: 'Oakvale', price: 8.5, onHand: 7, inStock: true, vendorPartNumber: 'OV-1' },
      ])
      const logs = await expectOk(org.call(`GET ${path}/logs`))
      expect(logs.body.items).toEqual([])
    }, PATIENCE)
  })

  test('is not written again if nothing changed', async () => {
    const id = await installVendor(org, vendor, { vendor: 'Oakvale' })
    vendor.does(each({ cost: 9, onHand: 2 }))
    await expectOk(runOne(id, products('D-1')))
    expect(await product('D-1')).toMatchObject({ version: '1', updatedBy: 'test' })
  })

  test('is not stored if the vendor sends no-store', async () => {
    const id = await installVendor(org, vendor, { vendor: 'Oakvale', noStore: true })
    const run = () => expectOk(runOne(id, products('D-1')))
    expect((await run()).body.items[0]).toMatchObject({ cost: 8.5 })
    await run()
    expect(vendor.asked).toHaveLength(2)
    expect(await product('D-1')).toMatchObject({ version: '1', vendors: [{ cost: 9 }] })
  })

  test('is only for this caller if the run had values of its own', async () => {
    const id = await installVendor(org, vendor, { vendor: 'Oakvale' })
    const body = { ...products('D-1'), additionalFields: { contract: 'gold' } }
    await expectOk(runOne(id, products('D-1')))
    vendor.does(each({ cost: 5 }))
    expect((await expectOk(runOne(id, body))).body.items[0].cost).toBe(5)
    expect(vendor.asked[0]!.request.additionalFields).toEqual({ contract: 'gold' })
    expect((await expectOk(runOne(id, products('D-1')))).body.items[0].cost).toBe(8.5)
    expect((await product('D-1')).vendors[0].cost).toBe(8.5)
  })

  test('about a parent’s catalog is shown to its child, but stored only by the parent', async () => {
    const child = await newOrganization(service, org.id)
    await installVendor(child, other, { vendor: 'Oakvale' })
    const line = 'POST /api/extensions/realtime/run'
    const asChild = async () => {
      const { body } = await expectOk(child.call(line, { body: products('D-1') }))
      return body.items[0].vendors.map((one: { cost: number }) => one.cost)
    }
    expect(await asChild()).toEqual([11])
    expect((await product('D-1')).vendors[0].cost).toBe(9)
    await installVendor(org, vendor, { vendor: 'Oakvale' })
    expect((await asChild()).toSorted()).toEqual([11, 8.5].toSorted())
    await expect.poll(async () => (await product('D-1')).vendors[0].cost).toBe(8.5)
    // The child's agreement with its vendor is not visible to its parent.
    expect((await expectOk(runAll(products('D-1')))).body.items[0].vendors).toHaveLength(1)
  })
})
