import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { importFile, newCatalog, product, startImport, taskWaiting } from '../support/imports.ts'
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

const FILE = 'id,name,brand,category,price\n'
const LATHE = 'L1,Brass lathe,Tallow,Lathes,90\n'
const DRILL = 'D1,Corded drill,Oakvale,Drills,50\n'
const SAW = 'S1,Band saw,Oakvale,Saws,70\n'
const FULL = { vendor: 'Nord', fullFile: true, missing: 'hide' }

/** Imports a full file of Nord with three products, and then one without the lathe. */
async function withHiddenLathe(): Promise<void> {
  await importFile(call, FILE + LATHE + DRILL + SAW, { vendor: 'Nord' })
  const task = await importFile(call, FILE + DRILL + SAW, FULL)
  expect(task).toMatchObject({ status: 'completed', removed: 1, hidden: 1, deleted: 0 })
  expect(task.message).toContain('1 product without other offers hidden.')
}

const found = async (body: object = {}, by = call) => {
  const { body: answer } = await expectOk(by('POST /api/search?catalog=c', { body }))
  return answer.products.map(({ id }: { id: string }) => id).toSorted()
}

const searchKey = async () =>
  caller(service, {
    key: await organization.key('viewer', 'search'),
    organization: organization.id,
  })

describe('a full file with missing: hide', () => {
  test('hides products without offers from every search', async () => {
    await withHiddenLathe()
    expect(await found()).toEqual(['D1', 'S1'])
    expect(await found({ keywords: 'lathe' })).toEqual([])
    const { body: count } = await expectOk(call('POST /api/search/count?catalog=c', { body: {} }))
    expect(count.count).toBe(2)
    const { body: metadata } = await expectOk(call('GET /api/search/metadata?catalog=c'))
    expect(metadata).toMatchObject({ manufacturers: ['Oakvale'] })
    expect(JSON.stringify(metadata)).not.toContain('Lathes')
    const typed =
      'GET /api/search/quicksearch?catalog=c&include=products,queries,categories&search='
    for (const text of ['Tal', 'Lat', 'lathe']) {
      expect(JSON.stringify((await expectOk(call(typed + text))).body)).not.toMatch(/lathe|tallow/i)
    }
    const misspelt = { keywords: 'lathr', includeMetadata: false }
    const { body: corrected } = await expectOk(
      call('POST /api/search?catalog=c', { body: misspelt }),
    )
    expect(JSON.stringify(corrected)).not.toMatch(/lathe/i)
    const matching = { additionalFields: { catalog: 'c', text: '2 Brass lathe L1' } }
    const line = 'POST /api/extensions/recommendation/bom/run'
    const listed = await expectOk(call(line, { body: matching }))
    expect(JSON.stringify(listed.body)).not.toMatch(/"L1"/)
  })

  test('keeps them visible to managers of the catalog, but not to keys for pages', async () => {
    await withHiddenLathe()
    expect(await product(call, 'L1')).toMatchObject({ hidden: true, vendors: [] })
    expect(await product(call, 'D1')).not.toHaveProperty('hidden')
    expect(await found({ hidden: true })).toEqual(['L1'])
    expect(await found({ hidden: true, keywords: 'drill' })).toEqual([])
    const page = await searchKey()
    expect((await page('GET /api/Catalog/c/products/L1')).status).toBe(404)
    const { body: some } = await expectOk(
      page('POST /api/Catalog/c/retrieveProducts', { body: { ids: ['L1', 'D1'] } }),
    )
    expect(some.map(({ id }: { id: string }) => id)).toEqual(['D1'])
    expect(await found({}, page)).toEqual(['D1', 'S1'])
    const refused = await page('POST /api/search?catalog=c', { body: { hidden: true } })
    expect(refused.status).toBe(403)
    expect(refused.body.message).toBe('A key of type search cannot use hidden.')
  })

  test('shows them again once any vendor offers them', async () => {
    await withHiddenLathe()
    const task = await importFile(call, `${FILE}${LATHE}`, { vendor: 'Sud' })
    expect(task).toMatchObject({ created: 0, updated: 1 })
    expect(await product(call, 'L1')).not.toHaveProperty('hidden')
    expect(await found({ keywords: 'lathe' })).toEqual(['L1'])

    await importFile(call, `${FILE}${SAW}`, { ...FULL, missing: 'keep' })
    expect(await found()).toEqual(['D1', 'L1', 'S1'])
  })

  test('shows them again by Write Offers, too, beside other lines', async () => {
    await withHiddenLathe()
    const line = 'POST /api/Catalog/c/offers'
    const body = { vendorName: 'Nord', offers: ['D1', 'L1'].map((id) => ({ id, cost: 6 })) }
    expect((await expectOk(call(line, { body }))).body).toMatchObject({ updated: 2, rejects: [] })
    expect(await product(call, 'L1')).not.toHaveProperty('hidden')
    const log = await expectOk(call('GET /api/Catalog/c/products/L1/logs'))
    expect(log.body.items[0]).toMatchObject({ fieldsUpdated: ['hidden'], source: 'api' })
  })

  test('leaves those hidden that the offer’s own change hides, however often it is sent', async () => {
    await withHiddenLathe()
    const lathe = { id: 'L1', hidden: true, vendors: [{ vendorName: 'Ost', cost: 7 }] }
    for (const unchanged of [0, 1]) {
      const task = await importFile(call, JSON.stringify(lathe), { name: 'l.jsonl' })
      expect(task).toMatchObject({ status: 'completed', unchanged })
      expect(await product(call, 'L1')).toMatchObject({ hidden: true, vendors: [{ cost: 7 }] })
    }
    await expectOk(call('PUT /api/Catalog/c/products/L1', { body: { vendors: [] } }))
    await expectOk(call('PUT /api/Catalog/c/products/L1', { body: { ...lathe, id: undefined } }))
    expect(await product(call, 'L1')).toMatchObject({ hidden: true, vendors: [{ cost: 7 }] })
  })

  test('mentions hiding in its question', async () => {
    await importFile(call, FILE + LATHE, { vendor: 'Nord' })
    const id = await startImport(call, FILE, { ...FULL, targetCatalog: 'c' })
    expect((await taskWaiting(call, id)).message).toContain(
      'and to hide the products that have no other offer',
    )
  })
})

describe('a product hidden by an update', () => {
  test('stays hidden through imports until an update shows it', async () => {
    await importFile(call, FILE + LATHE + DRILL, { vendor: 'Nord' })
    await expectOk(call('PUT /api/Catalog/c/products/D1', { body: { hidden: true } }))
    await importFile(call, FILE + DRILL.replace('50', '55'), { vendor: 'Nord' })
    await expect.poll(() => found()).toEqual(['L1'])
    const got = await product(call, 'D1')
    const same = await expectOk(call('PUT /api/Catalog/c/products/D1', { body: got }))
    expect(same.body.message).toBe('Nothing to change.')
    await expectOk(call('PUT /api/Catalog/c/products/D1', { body: { hidden: false } }))
    await expect.poll(() => found()).toEqual(['D1', 'L1'])
    const log = await expectOk(call('GET /api/Catalog/c/products/D1/logs'))
    expect(log.body.items[0]).toMatchObject({ fieldsUpdated: ['hidden'] })
  })
})
