import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { counts, importFile, newCatalog, product } from '../support/imports.ts'
import { requestsSent } from '../support/probe.ts'
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

const CSV = [
  'SKU,Name,Vendor,Price,Stock,Image,facet:Color',
  'A1,Desk,Nord,200,3,https://cdn.example/desk.png,red',
  'A2,Chair,Nord,99,0,,blue',
  'A2,,Sued,98,1,,',
].join('\n')

/** Imports a file, and counts the products of the catalog that were read whole. */
async function importAndCount(content: string, settings = {}) {
  const routing = `"${organization.id}/c"`
  let task: Awaited<ReturnType<typeof importFile>> | undefined
  const sent = await requestsSent(service, async () => {
    task = await importFile(call, content, settings)
  })
  const bodies = sent.filter(({ path }) => path === '/_mget').map(({ body }) => `${body}`)
  const read = bodies.reduce((sum, body) => sum + body.split(routing).length - 1, 0)
  return { ...counts(task!), removed: task!.removed, read }
}

const asBefore = { created: 0, updated: 0, rejected: 0, read: 0 }

describe('a file that is imported a second time', () => {
  test('changes nothing, and no product is read', async () => {
    const settings = { fullFile: true, vendor: 'Nord' }
    await importFile(call, CSV, settings)
    const before = await Promise.all(['A1', 'A2'].map((id) => product(call, id)))
    const again = await importAndCount(CSV, settings)
    expect(again).toEqual({ ...asBefore, processed: 3, unchanged: 3, removed: 0 })
    expect(await Promise.all(['A1', 'A2'].map((id) => product(call, id)))).toEqual(before)
    // Like another file in which some rows stayed the same.
    const changed = CSV.replace('99', '95')
    expect(await importAndCount(changed)).toMatchObject({ updated: 1, unchanged: 2, read: 1 })
    expect(await importAndCount(changed)).toMatchObject({ ...asBefore, unchanged: 3 })
  })

  const path = '/api/Catalog/c/products/A1'
  test.each<[string, () => Promise<unknown>]>([
    ['an edit', () => expectOk(call(`PUT ${path}`, { body: { name: 'Table' } }))],
    [
      'a batch',
      () => {
        const operations = [{ action: 'update', id: 'A1', product: { facets: { Color: 'green' } } }]
        return expectOk(call('POST /api/Catalog/c/products/batch', { body: { operations } }))
      },
    ],
    [
      'offers',
      () => {
        const offers = [{ id: 'A1', cost: 150 }]
        const body = { vendorName: 'Nord', offers }
        return expectOk(call('POST /api/Catalog/c/offers', { body }))
      },
    ],
    [
      'a restoration',
      async () => {
        await importFile(call, CSV.replace('Desk', 'Bureau'))
        await importFile(call, CSV)
        const { body } = await expectOk(call(`GET ${path}/logs`))
        await expectOk(call(`POST ${path}/logs/${body.items[0].id}/restore`))
      },
    ],
    ['another file', () => importFile(call, 'sku,name\nA1,Table')],
    ['its deletion', () => expectOk(call(`DELETE ${path}`))],
  ])('reverts %s', async (_, change) => {
    await importFile(call, CSV)
    const { name, facets, vendors } = await product(call, 'A1')
    await change()
    const { created, updated, unchanged } = await importAndCount(CSV)
    expect({ changed: created + updated, unchanged }).toEqual({ changed: 1, unchanged: 2 })
    expect(await product(call, 'A1')).toMatchObject({ name, facets, vendors })
  })

  test('keeps annotations, still without reading products', async () => {
    await importFile(call, CSV)
    await expectOk(call('PUT /api/Catalog/c/products/A1/notes', { body: { text: 'fragile' } }))
    await expectOk(call('PUT /api/Catalog/c/products/A1/links/erp/4711'))
    expect(await importAndCount(CSV)).toMatchObject({ ...asBefore, unchanged: 3 })
  })

  test('changes a product back and forth as the first time', async () => {
    const others = Array.from({ length: 1_200 }, (_, at) => `P${at},5`)
    const file = ['id,msrp', 'A1,5', ...others, 'A1,6'].join('\n')
    await importFile(call, file)
    for (let time = 0; time < 2; time++) {
      const again = await importAndCount(file)
      expect(again).toMatchObject({ created: 0, updated: 2, unchanged: 1_200 })
      expect(await product(call, 'A1')).toMatchObject({ msrp: 6 })
    }
  })

  test('applies changed settings and mappings', async () => {
    await importFile(call, CSV)
    const mappings = [
      { column: 0, field: 'id' },
      { column: 6, field: 'name' },
    ]
    expect(await importAndCount(CSV, { mappings })).toMatchObject({ updated: 2 })
    expect((await product(call, 'A1')).name).toBe('red')
    expect(await importAndCount(CSV, { updateMetadata: false })).toMatchObject({ unchanged: 3 })
    expect((await product(call, 'A1')).name).toBe('red')
    expect(await importAndCount(CSV)).toMatchObject({ updated: 2 })
    expect((await product(call, 'A1')).name).toBe('Desk')
  })
})
