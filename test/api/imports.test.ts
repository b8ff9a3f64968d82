import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import {
  counts,
  importFile,
  newCatalog,
  product,
  rejectsOf,
  startImport,
  taskEnded,
  upload,
} from '../support/imports.ts'
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

const jsonl = (...lines: unknown[]) => lines.map((line) => JSON.stringify(line)).join('\n')
const asJsonl = { name: 'data.jsonl' }

const CSV = [
  'SKU,Name,Manufacturer,MPN,Vendor,Price,Stock,UPC,facet:Color,filter:Weight,shelf',
  'A1,Desk,Acme,AC-1,Nord,"1,200.50",3,0123456789012,red,12.5,x',
  'A2,Chair,Acme,AC-2,Nord,99,0,,blue,4,y',
].join('\n')

describe('an import of a csv file', () => {
  test('creates the products with the fields of its header', async () => {
    const task = await importFile(call, CSV)
    expect(task).toMatchObject({
      status: 'completed',
      processed: 2,
      created: 2,
      rejected: 0,
      percentCompleted: 100,
      source: 'data.csv',
      sourceType: 'import',
      rejectsUrl: null,
      message:
        '2 rows: 2 created, 0 updated, 0 unchanged, 0 rejected. Columns kept as attributes: shelf.',
    })
    expect(await product(call, 'A1')).toMatchObject({
      id: 'A1',
      name: 'Desk',
      manufacturer: 'Acme',
      manufacturerPartNumber: 'AC-1',
      upcs: ['0123456789012'],
      facets: { Color: 'red' },
      filters: { Weight: 12.5 },
      updatedBy: 'administrator',
      version: '1',
      vendors: [{ vendorName: 'Nord', cost: 1200.5, onHand: 3, inStock: true }],
    })
    expect((await product(call, 'A2')).vendors[0]).toMatchObject({ onHand: 0, inStock: false })
  })

  test('changes and logs nothing the second time', async () => {
    await importFile(call, CSV)
    const before = await product(call, 'A1')
    const again = await importFile(call, CSV)
    expect(counts(again)).toEqual({
      processed: 2,
      created: 0,
      updated: 0,
      unchanged: 2,
      rejected: 0,
    })
    expect(await product(call, 'A1')).toEqual(before)
    const log = await expectOk(call('GET /api/Catalog/c/products/A1/logs'))
    expect(log.body.items).toEqual([])
  })

  test('is searchable when the task is completed', async () => {
    await importFile(call, CSV)
    const answer = await expectOk(call('POST /api/search?catalog=c', { body: { keywords: 'ac1' } }))
    expect(answer.body.total).toBe(1)
    expect(answer.body.products[0].id).toBe('A1')
  })

  test('applies mappings by column, with and without a header row', async () => {
    const mappings = [
      { column: 0, field: 'id' },
      { column: 2, field: 'name' },
      { column: 1, field: 'vendor.cost' },
      { column: 3, field: 'facet', attribute: 'Color' },
      { column: 3, field: 'attribute', attribute: 'Colour' },
    ]
    const rows = 'a;b;c;d\n1;2,50;Desk;red\n'
    const settings = { mappings, delimiter: ';', vendor: 'Nord' }
    expect(counts(await importFile(call, rows, settings))).toMatchObject({ created: 1 })
    expect(await product(call, '1')).toMatchObject({
      name: 'Desk',
      facets: { Color: 'red' },
      attributes: { Colour: 'red' },
      vendors: [{ vendorName: 'Nord', cost: 2.5 }],
    })
    const bare = await importFile(call, '9;1;Lamp;blue\n', { ...settings, header: false })
    expect(counts(bare)).toMatchObject({ processed: 1, created: 1 })
    expect((await product(call, '9')).name).toBe('Lamp')
  })

  test('reports its progress while it runs', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `P${i},Name ${i}`)
    const id = await startImport(call, ['id,name', ...rows].join('\n'), { targetCatalog: 'c' })
    const seen: number[] = []
    const task = await taskEnded(async (line, parts) => {
      const answer = await call(line, parts)
      for (const item of answer.body.items) seen.push(item.percentCompleted)
      return answer
    }, id)
    expect(task).toMatchObject({ status: 'completed', created: 20_000, percentCompleted: 100 })
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })
})

describe('a row is a product and a vendor', () => {
  test('adds an offer of another vendor, and updates that of the same vendor', async () => {
    const task = await importFile(
      call,
      'id,name,vendor,price\n1,Desk,Nord,10\n1,,Sued,11\n1,,Nord,12\n1,,Nord,12\n',
    )
    expect(counts(task)).toEqual({
      processed: 4,
      created: 1,
      updated: 2,
      unchanged: 1,
      rejected: 0,
    })
    const { name, vendors } = await product(call, '1')
    expect(name).toBe('Desk')
    expect(
      vendors.map((offer: { vendorName: string; cost: number }) => [offer.vendorName, offer.cost]),
    ).toEqual([
      ['Nord', 12],
      ['Sued', 11],
    ])
  })

  test('is matched by manufacturer and part number, ignoring case but not punctuation', async () => {
    await importFile(call, 'id,manufacturer,mpn\nX1,Acme,AB-12\n')
    const task = await importFile(
      call,
      'manufacturer,mpn,name\n ACME ,ab-12,Found\nAcme,AB12,Other\n',
    )
    expect(counts(task)).toMatchObject({ created: 1, updated: 1 })
    expect((await product(call, 'X1')).name).toBe('Found')
  })

  test('is matched by vendor and part number, and by UPC', async () => {
    await importFile(call, 'id,vendor,vendor sku,upc\nX1,Nord,N-1,4006381333931\n')
    const task = await importFile(
      call,
      jsonl(
        { name: 'By vendor', vendors: [{ vendorName: 'nord', vendorPartNumber: 'n-1' }] },
        { upcs: ['4006381333931'], description: 'By UPC' },
      ),
      asJsonl,
    )
    expect(counts(task)).toMatchObject({ updated: 2, created: 0 })
    expect(await product(call, 'X1')).toMatchObject({ name: 'By vendor', description: 'By UPC' })
  })

  test('of jsonl with names that products do not have is imported with a warning', async () => {
    const lines = jsonl({ id: 'J-1', name: 'Bolt', price: 1.5 }, { id: 'J-2', colour: 'red' })
    const fileUrl = await upload(call, lines, 'data.jsonl')
    const path = 'POST /api/extensions/available/file/getSample'
    const { warnings } = (await expectOk(call(path, { body: { fileUrl } }))).body
    const warning = expect.stringMatching(/^Ignored, .* not have them: price, colour\. /)
    expect(warnings).toEqual([warning])
    expect(await importFile(call, lines, asJsonl)).toMatchObject({
      created: 2,
      warnings: [warning],
    })
    // Everything that Get Product returns may be sent back.
    const again = await importFile(call, jsonl(await product(call, 'J-1')), asJsonl)
    expect(again).toMatchObject({ unchanged: 1 })
    expect(again).not.toHaveProperty('warnings')
  })

  test('is rejected if it matches several products, or identifies none', async () => {
    await importFile(call, 'id,upc\nX1,111\nX2,111\n')
    const task = await importFile(call, 'upc,name\n111,Which\n,Nameless\n222,New\n')
    expect(counts(task)).toEqual({
      processed: 3,
      created: 1,
      updated: 0,
      unchanged: 0,
      rejected: 2,
    })
    expect(await rejectsOf(call, task)).toBe(
      [
        'line,reason,upc,name',
        '2,"matches several products: X1, X2",111,Which',
        '3,"identifies no product: no id, no manufacturer with part number, no vendor with part number, no UPC",,Nameless',
        '',
      ].join('\r\n'),
    )
  })

  test('is rejected too if one of them was created by this import', async () => {
    await importFile(call, 'id,upc\nY,111\n')
    const task = await importFile(call, 'id,upc,name\nX,111,\nW,,\n,111,Which\n')
    expect(counts(task)).toMatchObject({ created: 2, updated: 0, rejected: 1 })
    expect(await rejectsOf(call, task)).toContain('4,"matches several products: ')
  })

  test('is matched with products created by the same import, whichever key it has', async () => {
    const task = await importFile(
      call,
      jsonl(
        { manufacturer: 'Acme', manufacturerPartNumber: 'Z-9', upcs: ['777'], name: 'First' },
        { upcs: ['777'], description: 'same product' },
        { manufacturer: 'acme', manufacturerPartNumber: 'z-9', segment: 'S' },
      ),
      asJsonl,
    )
    expect(counts(task)).toEqual({
      processed: 3,
      created: 1,
      updated: 2,
      unchanged: 0,
      rejected: 0,
    })
  })

  test('gets the same generated id in every import', async () => {
    const file = 'manufacturer,mpn,name\nAcme,AB-12,Desk\n'
    await importFile(call, file)
    expect(counts(await importFile(call, file))).toMatchObject({ unchanged: 1, created: 0 })
    await newCatalog(organization, 'd')
    expect(counts(await importFile(call, file, { targetCatalog: 'd' }))).toMatchObject({
      created: 1,
    })
  })
})
