import { readFileSync } from 'node:fs'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { importFile, newCatalog, product, upload } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'
import { sheetRows, xlsxFile } from '../support/xlsx-file.ts'

let service: TestService
let call: Call

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  const organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
})

/** A file in the form that the system's documentation shows. */
const fileOf = (name: string): string =>
  readFileSync(new URL(`../support/shops/${name}`, import.meta.url), 'utf8')

/** Imports a file twice: if everything is mapped, nothing changes the second time. */
async function imported(name: string, rows: number) {
  const file = fileOf(name)
  const task = await importFile(call, file, { name })
  expect(task).toMatchObject({ status: 'completed', rejected: 0, processed: rows })
  expect(await importFile(call, file, { name })).toMatchObject({ unchanged: rows, rejected: 0 })
  return task
}

const TEES = { segment: 'Clothing', category: 'Tops', subCategory: 'Tees' }
const TEE = {
  ...{ manufacturer: 'Tallow', description: 'Soft & warm.', upcs: ['4006381333931'] },
  ...{ image: 'https://a.example/tee-red.jpg', msrp: 15, ...TEES },
}
const PICTURES = ['https://a.example/tee-1.jpg', 'https://a.example/tee-2.jpg']
const pictures = PICTURES.map((url) => ({ url }))

test('WooCommerce: variations inherit from their product', async () => {
  const task = await imported('woocommerce.csv', 4)
  expect(task.message).toContain('Read as a products file of WooCommerce.')
  expect(await product(call, 'HARBOUR-RED-S')).toMatchObject({
    ...TEE,
    ...{ name: 'Harbour tee - Red, S', upcs: ['4006381333948'] },
    ...{ groupId: 'HARBOUR', options: { Colour: 'Red', Size: 'S' } },
    attributes: { Weight: '0.2 kg', 'Short description': 'A tee.', Tags: 'summer, cotton' },
    vendors: [{ cost: 12, onHand: 4, inStock: true }],
  })
  expect(await product(call, 'HARBOUR-BLUE-M')).toMatchObject({
    ...{ groupId: 'HARBOUR', image: PICTURES[0], images: pictures.slice(1) },
    vendors: [{ cost: 16, onHand: null, inStock: false, status: 'backorder' }],
  })
  // Its sale is over.
  const mug = await product(call, 'MUG')
  expect(mug).toMatchObject({
    ...{
      facets: { Material: 'Steel' },
      upcs: ['4006381333931'],
      image: 'https://a.example/mug.jpg',
    },
    ...{ segment: 'Kitchen', category: 'Mugs', vendors: [{ cost: 9.5, onHand: 7 }] },
    attributes: { Weight: '0.35 kg', Length: '9 cm', Width: '8 cm', Height: '10 cm' },
  })
  expect(mug.msrp ?? null).toBeNull()
  expect(await product(call, 'EMPTY')).toMatchObject({ name: 'A family without variations' })
  expect((await call('GET /api/Catalog/c/products/HARBOUR')).status).toBe(404)
})

test('Magento: a configurable product makes its simple products a group', async () => {
  const task = await imported('magento.csv', 4)
  expect((task as unknown as { warnings: string[] }).warnings).toEqual([
    'Rows that are not products, such as translations or rules: 1. They are skipped.',
  ])
  expect(await product(call, 'TEE-S-RED')).toMatchObject({
    ...TEE,
    ...{ name: 'Harbour tee-S-Red', images: pictures },
    ...{ groupId: 'TEE', options: { size: 'S', color: 'Red' } },
    ...{
      facets: { material: 'Cotton, Linen' },
      attributes: { activity: 'Gym, Hike', weight: '0.2' },
    },
    vendors: [{ cost: 12, onHand: 4, inStock: true }],
  })
  expect(await product(call, 'TEE-M-RED')).toMatchObject({ groupId: 'TEE', msrp: 20 })
})

test('BigCommerce: rows of variants and pictures belong to the product above them', async () => {
  await imported('bigcommerce.csv', 3)
  const { segment: _, category: __, subCategory: ___, manufacturer: ____, ...own } = TEE
  expect(await product(call, 'TEE-S-RED')).toMatchObject({
    ...{ ...own, msrp: 19, name: 'Harbour tee', images: pictures },
    ...{ groupId: 'TEE', options: { Size: 'S', Color: 'Red' } },
    ...{ vendors: [{ cost: 12, onHand: 4 }], attributes: { Weight: '0.2', Categories: '23;24' } },
  })
  expect(await product(call, 'TEE-M-RED')).toMatchObject({
    ...{ image: PICTURES[0], options: { Size: 'M', Color: 'Red' }, vendors: [{ cost: 16 }] },
    ...{ msrp: 19, attributes: { Weight: '0.2' } },
  })
  expect(await product(call, 'MUG')).toMatchObject({
    ...{ upcs: ['012345678905', '4006381333948'], manufacturerPartNumber: 'M-1', msrp: 11 },
    ...{ image: 'https://a.example/mug.jpg', attributes: { Weight: '0.35' } },
    vendors: [{ cost: 9.5, onHand: 7 }],
  })
  await imported('bigcommerce-legacy.csv', 1)
  expect(await product(call, 'TEE-S-RED')).toMatchObject({
    ...{ groupId: 'TEE', options: { Size: 'S', Color: 'Red' }, ...TEES, manufacturer: 'Tallow' },
    ...{ upcs: ['4006381333931', '012345678905'], msrp: 19, vendors: [{ cost: 12, onHand: 4 }] },
    ...{
      image: PICTURES[0],
      images: pictures.slice(1),
      attributes: { 'Product Weight': '0.2000' },
    },
  })
})

test('PrestaShop: products with their discounts, and the file of their combinations', async () => {
  const task = await imported('prestashop.csv', 2)
  // Whom the shop buys from is not whose price this is.
  expect((task as unknown as { columns: object[] }).columns).toContainEqual(
    expect.objectContaining({ heading: 'Supplier', field: null, values: 1 }),
  )
  const { name: vendorName } = (await expectOk(call('GET /api/organizations/current'))).body
  expect(await product(call, 'TEE')).toMatchObject({
    ...{ ...TEE, image: PICTURES[0], images: pictures.slice(1), manufacturerPartNumber: 'T-1' },
    ...{ upcs: ['4006381333931', '012345678905'], facets: { Material: 'Cotton' } },
    ...{
      attributes: { Fit: 'Slim', Weight: '0.2 kg' },
      vendors: [{ vendorName, cost: 12, onHand: 160 }],
    },
  })
  await imported('prestashop-combinations.csv', 2)
  expect(await product(call, 'TEE-S-RED')).toMatchObject({
    ...{ groupId: '1', options: { Color: 'Red', Size: 'S' }, upcs: ['4006381333948'] },
    ...{ vendors: [{ onHand: 4 }], attributes: { 'Impact on price': '2' } },
  })
  expect(await product(call, '1-Red-M')).toMatchObject({ groupId: '1' })
})

test('Akeneo: attributes of the first locale and currency become fields', async () => {
  await imported('akeneo.csv', 2)
  expect(await product(call, 'TEE-S-RED')).toMatchObject({
    ...{ name: 'Harbour tee', description: 'Soft & warm.', manufacturer: 'Tallow' },
    ...{ image: 'https://a.example/tee-red.jpg', upcs: ['4006381333931'], category: 'tees' },
    ...{ groupId: 'TEE', options: { color: 'Red', size: 'S' }, vendors: [{ cost: 12 }], msrp: 19 },
    images: pictures,
    attributes: { weight: '0.2 kg', 'name-de_DE': 'Hafenhemd', 'price-USD': '17.00' },
  })
  expect(await product(call, 'MUG')).toMatchObject({
    ...{ facets: { color: 'White' }, vendors: [{ cost: 9.5 }], attributes: { weight: '350 g' } },
  })
  // A price in another currency does not fill in for a missing one.
  const priceless = await importFile(
    call,
    fileOf('akeneo.csv').replace(';15.00;17.00;12.00;', ';;17.00;;'),
  )
  expect(priceless).toMatchObject({ rejected: 0 })
  expect(await product(call, 'TEE-S-RED')).toMatchObject({ vendors: [{ cost: 12 }] })
  await importFile(call, fileOf('akeneo.csv'))
  const rows = fileOf('akeneo.csv').trim().split('\n')
  const cells = rows.map((row) => row.replaceAll('"', '').replaceAll('&amp;', '&').split(';'))
  const sheets = [{ name: 'Products', rows: sheetRows(cells) }]
  // The same data as a workbook.
  const task = await importFile(call, xlsxFile({ sheets }), { name: 'akeneo.xlsx' })
  expect(task).toMatchObject({ unchanged: 2, rejected: 0 })
})

test('Google Merchant: the XML feed is read as the tsv one', async () => {
  await imported('google.xml', 2)
  expect(await product(call, 'TEE-S-RED')).toMatchObject({
    ...{ ...TEE, name: 'Harbour tee', images: pictures, groupId: 'TEE' },
    ...{ options: { color: 'Red', size: 'S' }, vendors: [{ cost: 12, inStock: true }] },
    attributes: { shipping_weight: '0.2 kg', shipping: 'DE:Standard:4.90 EUR' },
  })
  expect(await product(call, 'MUG')).toMatchObject({
    ...{ name: 'Mug', manufacturerPartNumber: 'M-1', vendors: [{ cost: 9.5, inStock: false }] },
  })
})

test('Google Merchant: a feed with too many different elements is refused for that', async () => {
  const elements = Array.from({ length: 2_001 }, (_, at) => `<e${at}>x</e${at}>`).join('')
  const feed = `<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item>${elements}</item></channel></rss>`
  expect(await importFile(call, feed, { name: 'wide.xml' })).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('The items have more than 2000 different elements.'),
  })
})

test('Amazon: template rows above the headings are skipped', async () => {
  const task = await imported('amazon.tsv', 2)
  expect(task.message).toContain('Headings found in row 3.')
  expect(await product(call, 'TEE-S-RED')).toMatchObject({
    ...{ manufacturer: 'Tallow', description: 'Soft and warm.', upcs: ['4006381333931'] },
    ...{ name: 'Harbour tee, red, S', groupId: 'TEE', options: { color: 'Red', size: 'S' } },
    ...{ category: 'shirt', msrp: 19, vendors: [{ cost: 12, onHand: 4 }] },
    ...{ image: 'https://a.example/tee-red.jpg', images: pictures },
    attributes: { item_weight: '200 g', bullet_point1: 'Heavy cotton' },
  })
  expect(await product(call, 'MUG')).toMatchObject({
    ...{ facets: { color: 'White' }, attributes: { ASIN: 'B0EXAMPLE1' }, upcs: [] },
  })
  // A template of today, with the same products.
  const current = await importFile(call, fileOf('amazon-current.tsv'), { name: 'template.tsv' })
  expect(current).toMatchObject({ updated: 0, created: 0, rejected: 0, processed: 2 })
})

test('Shopware: variants inherit from their product', async () => {
  await imported('shopware.csv', 3)
  expect(await product(call, 'SW-TEE.1')).toMatchObject({
    ...{ name: 'Harbour tee', description: 'Soft & warm.', manufacturer: 'Tallow', ...TEES },
    ...{ groupId: '018e3856658271228f10807956b7e3f9', options: { Size: 'S', Color: 'Red' } },
    ...{ facets: { Material: 'Cotton' }, upcs: ['4006381333931'], msrp: 19 },
    attributes: { Fit: 'Slim', weight: '0.2 kg', width: '400 mm' },
    ...{ image: PICTURES[0], images: pictures.slice(1), vendors: [{ cost: 15, onHand: 4 }] },
  })
  expect(await product(call, 'SW-TEE.2')).toMatchObject({
    ...{ vendors: [{ cost: 16, onHand: 0 }], upcs: [], attributes: { weight: '0.2 kg' } },
  })
  expect(await product(call, 'SW-MUG')).toMatchObject({
    ...{ name: 'Mug', upcs: ['4006381333948'], vendors: [{ cost: 9.5 }] },
  })
  expect((await call('GET /api/Catalog/c/products/SW-TEE')).status).toBe(404)
})

test('a sample names the system and the meaning of the columns, without single mappings', async () => {
  const fileUrl = await upload(call, fileOf('woocommerce.csv'), 'wc-product-export.csv')
  const path = 'POST /api/extensions/available/file/getSample'
  const { body } = await expectOk(call(path, { body: { fileUrl } }))
  expect(body).toMatchObject({
    mappings: [],
    detected: { system: 'WooCommerce', headerRow: 1 },
    columns: expect.arrayContaining([expect.arrayContaining(['SKU', 'HARBOUR', 'MUG'])]),
  })
  expect(body.becomes).toContainEqual({
    ...{ column: 42, heading: 'Attribute 1 value(s)', field: 'option', attribute: null, values: 4 },
  })
})

test('a sample and a dry run report the header row, and mappings count from there', async () => {
  const letterhead = 'Nordwerk GmbH, Hamburg\nPrice list\n\n'
  const csv = `${letterhead}SKU;Name;Price\nA1;Desk;5,00\nA2;Chair;6,00\n`
  const fileUrl = await upload(call, csv)
  const sample = 'POST /api/extensions/available/file/getSample'
  const { body } = await expectOk(call(sample, { body: { fileUrl } }))
  expect(body.detected).toMatchObject({ headerRow: 4, header: true, delimiter: ';', decimal: ',' })
  expect(body.columns[0]).toEqual(['SKU', 'A1', 'A2'])
  const validate = 'POST /api/extensions/available/file/validate'
  const trial = { catalog: 'c', vendors: 'all', additionalData: { fileUrl }, mappings: [] }
  const tried = await expectOk(call(validate, { body: trial }))
  expect(tried.body.preview).toMatchObject({ created: 2, rejected: 0, headerRow: 4 })
  const mappings = body.mappings.map(({ column, field, attribute }: Record<string, unknown>) => ({
    ...{ column, field, attribute },
  }))
  expect(await importFile(call, csv, { mappings })).toMatchObject({ created: 2, rejected: 0 })
})
