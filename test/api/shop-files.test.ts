import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { importFile, newCatalog, product, upload } from '../support/imports.ts'
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

describe('a price without a vendor', () => {
  const csv = 'sku,name,price,stock\nA1,Desk,99.50,3\nA2,Chair,,\n'

  test('belongs to the organization, under its name; a row without a price has no offer', async () => {
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

  test('belongs to the catalog’s default vendor, or to that of the request', async () => {
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

test('a stock below 0 counts as 0, with a warning about such rows', async () => {
  const csv = 'sku,name,price,stock\nA1,Desk,9,-5\nA2,Chair,9,4\nA3,Lamp,9,-0.5\n'
  expect(await importFile(call, csv)).toMatchObject({
    created: 3,
    warnings: ['Rows with a stock below 0, imported as 0: 2.'],
  })
  expect(await offersOf('A1')).toMatchObject([{ onHand: 0, inStock: false }])
  expect(await offersOf('A2')).toMatchObject([{ onHand: 4, inStock: true }])
  expect(await importFile(call, csv)).toMatchObject({ unchanged: 3 })
  const words = 'sku,stock,ean\nA1,in stock,"4,00638E+12"\nA2,<5,"4,00638E+12"\n'
  expect(await importFile(call, words)).toMatchObject({
    updated: 2,
    warnings: [
      'UPCs and EANs that a spreadsheet rounded are not used: 2, the first being "4,00638E+12" in row 2. Export them as text.',
    ],
  })
  expect(await offersOf('A1')).toMatchObject([{ onHand: null, inStock: true }])
  expect(await offersOf('A2')).toMatchObject([{ onHand: null, inStock: true }])
})

describe('a column without a matching field', () => {
  const csv = [
    'SKU,Name,Betrag,shelf,note',
    'A1,Desk,"12,50",x,\u0001',
    `A2,Chair,"9,90",,${'y'.repeat(2_500)}`,
  ].join('\n')

  test('becomes an attribute, which the task and the sample report', async () => {
    const task = await importFile(call, csv)
    expect(task).toMatchObject({
      created: 2,
      message: expect.stringContaining('Columns kept as attributes: Betrag, shelf, note.'),
      warnings: [
        'Column "Betrag" looks like vendor.cost, but was not imported as such. If it is, map it.',
      ],
      columns: [
        { column: 0, heading: 'SKU', field: 'id', attribute: null, values: 2 },
        { column: 1, heading: 'Name', field: 'name', attribute: null, values: 2 },
        { column: 2, heading: 'Betrag', field: 'attribute', attribute: 'Betrag', values: 2 },
        { column: 3, heading: 'shelf', field: 'attribute', attribute: 'shelf', values: 1 },
        { column: 4, heading: 'note', field: 'attribute', attribute: 'note', values: 2 },
      ],
    })
    expect((await product(call, 'A1')).attributes).toMatchObject({ Betrag: '12,50', shelf: 'x' })
    expect((await product(call, 'A2')).attributes.note).toHaveLength(2_000)
    const fileUrl = await upload(call, csv)
    const sample = await expectOk(
      call('POST /api/extensions/available/file/getSample', { body: { fileUrl } }),
    )
    const { becomes, warnings } = sample.body
    expect(becomes).toEqual((task as unknown as { columns: unknown }).columns)
    expect(warnings).toEqual((task as unknown as { warnings: unknown }).warnings)
  })

  test('is ignored or refused on request, also together with mappings', async () => {
    const ignored = await importFile(call, csv, { unmapped: 'ignore' })
    expect(ignored).toMatchObject({ created: 2 })
    expect((await product(call, 'A1')).attributes).toEqual({})
    const refused = await importFile(call, csv, { unmapped: 'fail' })
    expect(refused).toMatchObject({
      status: 'failed',
      message: expect.stringContaining(
        'unmapped: no field is known for Betrag, shelf, note; send mappings',
      ),
    })
    const mappings = [
      { column: 0, field: 'id' },
      { column: 2, field: 'vendor.cost' },
    ]
    await importFile(call, csv, { mappings })
    expect(await product(call, 'A1')).toMatchObject({ attributes: {}, vendors: [{ cost: 12.5 }] })
    await importFile(call, csv, { mappings, unmapped: 'attribute' })
    expect((await product(call, 'A1')).attributes).toMatchObject({ shelf: 'x' })
  })
})

test('a Google Merchant feed imports unchanged, with its variants as a group', async () => {
  const headings =
    'id title description link image_link additional_image_link availability price sale_price sale_price_effective_date brand gtin mpn item_group_id color size product_type shipping_weight'
  const always = '2020-01-01T00:00-0800/2099-12-31T23:59-0800'
  const row = (id: string, size: string, availability: string, period = always) => [
    ...[id, 'Harbour tee', '<p>Soft &amp; warm</p>', `https://a.example/${id}`],
    ...['https://a.example/1.jpg', 'https://a.example/2.jpg,https://a.example/3.jpg'],
    ...[availability, '15.00 USD', '12.00 USD', period],
    ...['Tallow', '4006381333931', `T-${size}`, 'TEE', 'Red', size, 'Clothing > Tops > Tees'],
    '200 g',
  ]
  const rows = [row('t1', 'S', 'in_stock'), row('t2', 'M', 'out_of_stock', '1.1.2020 - 31.12.2020')]
  const tsv = [headings.split(' '), ...rows].map((cells) => cells.join('\t')).join('\n')
  const task = await importFile(call, tsv, { name: 'feed.tsv' })
  expect(task).toMatchObject({ created: 2, rejected: 0 })
  expect(await product(call, 't1')).toMatchObject({
    ...{ name: 'Harbour tee', description: 'Soft & warm', manufacturer: 'Tallow' },
    ...{ groupId: 'TEE', options: { color: 'Red', size: 'S' } },
    ...{ segment: 'Clothing', category: 'Tops', subCategory: 'Tees' },
    image: 'https://a.example/1.jpg',
    images: [{ url: 'https://a.example/2.jpg' }, { url: 'https://a.example/3.jpg' }],
    vendors: [{ cost: 12, inStock: true, status: 'in_stock' }],
    ...{ msrp: 15, upcs: ['4006381333931'], manufacturerPartNumber: 'T-S' },
    attributes: { link: 'https://a.example/t1', shipping_weight: '200 g' },
  })
  expect((await product(call, 't2')).vendors).toMatchObject([{ cost: 15, inStock: false }])
  const body = { group: true }
  const found = await expectOk(call('POST /api/search?catalog=c', { body }))
  expect(found.body).toMatchObject({
    total: 1,
    products: [{ group: { id: 'TEE', variants: 2, options: { size: ['S', 'M'] } } }],
  })
  const later = tsv.replace('2099-12-31', '2021-12-31').replaceAll('15.00 USD', '14.00 USD')
  expect(await importFile(call, later, { name: 'feed.tsv' })).toMatchObject({ updated: 2 })
  expect(await product(call, 't1')).toMatchObject({ msrp: null, vendors: [{ cost: 14 }] })
  expect(await importFile(call, later, { name: 'feed.tsv' })).toMatchObject({ unchanged: 2 })
})

test('a product export of Shopify imports with its variants and pictures', async () => {
  const headings =
    'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Variant Compare At Price,Variant Barcode,Image Src,Image Position,Variant Image,Status'
  const csv = [
    headings,
    'tee,Harbour tee,<p>Soft</p>,Tallow,Apparel > Clothing > Tees,Shirts,"new, sale",true,Size,S,Colour,Red,TEE-S,200,4,15.00,19.00,4006381333931,https://a.example/1.jpg,1,https://a.example/s.jpg,active',
    'tee,,,,,,,,,M,,Red,TEE-M,210,0,16.00,,,https://a.example/2.jpg,2,,',
    'tee,,,,,,,,,,,,,,,,,,https://a.example/3.jpg,3,,',
    'mug,Mug,,Tallow,,Mugs,,true,Title,Default Title,,,,,7,9.00,,,https://a.example/mug.jpg,1,,active',
  ].join('\n')
  const task = await importFile(call, csv, { name: 'products_export.csv' })
  expect(task).toMatchObject({
    ...{ processed: 3, created: 3, rejected: 0 },
    message: expect.stringContaining('Read as a products file of Shopify.'),
  })
  expect((task as unknown as { columns: object[] }).columns).toContainEqual({
    ...{ column: 18, heading: 'Image Src', field: 'images', attribute: null, values: 4 },
  })
  const { name } = (await expectOk(call('GET /api/organizations/current'))).body
  const pictures = [1, 2, 3].map((n) => ({ url: `https://a.example/${n}.jpg` }))
  expect(await product(call, 'TEE-S')).toMatchObject({
    ...{ name: 'Harbour tee', description: 'Soft', manufacturer: 'Tallow', groupId: 'tee' },
    ...{ segment: 'Apparel', category: 'Clothing', subCategory: 'Tees', msrp: 19 },
    ...{ options: { Size: 'S', Colour: 'Red' }, upcs: ['4006381333931'] },
    vendors: [{ vendorName: name, cost: 15, onHand: 4, inStock: true }],
    image: 'https://a.example/s.jpg',
    images: pictures,
    attributes: { Tags: 'new, sale', Published: 'true', Status: 'active', Weight: '200 g' },
  })
  expect(await product(call, 'TEE-M')).toMatchObject({
    ...{ name: 'Harbour tee', options: { Size: 'M', Colour: 'Red' } },
    ...{ vendors: [{ cost: 16, inStock: false }], attributes: { Weight: '210 g' } },
    image: 'https://a.example/1.jpg',
    images: pictures.slice(1),
  })
  const mug = await product(call, 'mug')
  expect(mug).toMatchObject({ name: 'Mug', category: 'Mugs', vendors: [{ cost: 9, onHand: 7 }] })
  expect(mug).not.toHaveProperty('groupId')
})
