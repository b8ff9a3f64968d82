import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { importFile, newCatalog, product } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
})

const offersOf = async (id: string) => (await product(call, id)).vendors

describe('a price that names no vendor', () => {
  const csv = 'sku,name,price,stock\nA1,Desk,99.50,3\nA2,Chair,,\n'

  test('is the organization’s, under its name; a row without one has no offer', async () => {
    const { body } = await expectOk(call('GET /api/organizations/current'))
    expect(await importFile(call, csv)).toMatchObject({ created: 2, rejected: 0 })
    expect(await offersOf('A1')).toMatchObject([
      { vendorName: body.name, cost: 99.5, onHand: 3, inStock: true },
    ])
    expect(await offersOf('A2')).toEqual([])
    const line = JSON.stringify({ id: 'A3', vendors: [{ cost: 5 }] })
    await importFile(call, line, { name: 'a.jsonl' })
    expect(await offersOf('A3')).toMatchObject([{ vendorName: body.name, cost: 5 }])
  })

  test('is that of the catalog’s default vendor, or of the vendor of the request', async () => {
    const set = (defaultVendor: string | null) =>
      expectOk(call('PUT /api/Catalog', { body: { name: 'c', defaultVendor } }))
    await set('Nordwerk')
    const { catalogs } = (await expectOk(call('GET /api/Catalog'))).body
    expect(catalogs).toMatchObject([{ name: 'c', defaultVendor: 'Nordwerk' }])
    await importFile(call, csv)
    expect(await offersOf('A1')).toMatchObject([{ vendorName: 'Nordwerk' }])
    await importFile(call, csv, { vendor: 'Acme' })
    expect(await offersOf('A1')).toMatchObject([{ vendorName: 'Nordwerk' }, { vendorName: 'Acme' }])
    await set(null)
    const after = (await expectOk(call('GET /api/Catalog'))).body.catalogs
    expect(after[0]).not.toHaveProperty('defaultVendor')
  })
})
