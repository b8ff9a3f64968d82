import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Call, expectOk } from '../support/client.ts'
import { startCanary } from '../support/connection-counter.ts'
import { everyWidth, startConsole } from '../support/console.ts'
import { runExport } from '../support/exports.ts'
import { startImport } from '../support/imports.ts'
import type { ShopPage } from '../support/shop.ts'

/** A shop manager who maintains products, tasks and keys. */
let stop: () => Promise<void>
let editor: Call
let shop: ShopPage
let page: Page

const MARKUP = '<script>alert(1)</script>'

beforeAll(async () => {
  const products = Array.from({ length: 30 }, (_, at) => ({
    id: `P-${at + 1}`,
    name: `Anvil ${at + 1} kg ${MARKUP}`,
    manufacturer: [10, 11].includes(at) ? 'Westforge' : 'Northforge',
    category: 'Anvils',
    facets: { Face: 'flat' },
    vendors: [
      {
        vendorName: at === 11 ? 'Tidewell Direct' : 'Oakvale Supply',
        ...{ cost: 10 * (at + 1), onHand: at + 1, inStock: true },
      },
    ],
  }))
  const started = await startConsole('console-products', 'anvils', products)
  stop = started.stop
  shop = started.shop
  page = shop.page
  editor = await started.organization.as('editor')
})

afterAll(() => stop?.())

afterEach(() => {
  expect(shop.problems.splice(0)).toEqual([])
})

test('a product is found, edited and restored; another user’s change is not overwritten', async () => {
  await page.getByRole('link', { name: 'Products', exact: true }).click()
  await page.getByText('Page 1 of 2').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Page 2 of 2').waitFor()
  await page.getByRole('searchbox').fill('anvil 7 kg')
  await page.getByRole('searchbox').press('Enter')
  await page.getByRole('link', { name: `Anvil 7 kg ${MARKUP}` }).waitFor()
  await everyWidth(page, 'products')
  await page.getByRole('link', { name: `Anvil 7 kg ${MARKUP}` }).click()
  await page.getByRole('heading', { name: `Anvil 7 kg ${MARKUP}` }).waitFor()

  await page.getByLabel('Price of Oakvale Supply').fill('many')
  await page.getByRole('button', { name: 'Save product' }).click()
  await page.getByRole('alert').filter({ hasText: 'must be a number' }).waitFor()
  await page.getByLabel('Price of Oakvale Supply').fill('65.5')
  await page.getByLabel('Description').fill('Rings.')
  await page.getByLabel('Face', { exact: true }).fill('crowned')
  await page.getByRole('button', { name: 'Save product' }).click()
  const log = page.getByRole('region', { name: 'Change history' })
  await log.getByText('crowned').waitFor()
  const { body: saved } = await editor('GET /api/Catalog/anvils/products/P-7')
  expect(saved).toMatchObject({ description: 'Rings.', facets: { Face: 'crowned' } })
  expect(saved.vendors[0]).toMatchObject({ cost: 65.5, onHand: 7, inStock: true })
  await everyWidth(page, 'product')

  await log.getByRole('button', { name: /^Revert/ }).click()
  await expect.poll(() => page.getByLabel('Face', { exact: true }).inputValue()).toBe('flat')
  await log.getByRole('listitem').nth(1).waitFor()

  await expectOk(editor('PUT /api/Catalog/anvils/products/P-7', { body: { msrp: 99 } }))
  await page.getByLabel('Segment').fill('Smithy')
  await page.getByRole('button', { name: 'Save product' }).click()
  await page.getByRole('alert').filter({ hasText: "product's version is" }).waitFor()
  expect(shop.problems.splice(0)).toEqual([expect.stringContaining('412')])
  await page.getByRole('button', { name: 'Reload and discard changes' }).click()
  const listPrice = page.getByRole('spinbutton', { name: 'List price' })
  await expect.poll(() => listPrice.inputValue()).toBe('99')
  expect(await page.getByLabel('Segment').inputValue()).toBe('')
})

test('search results are previewed, and then changed', async () => {
  await page.getByRole('link', { name: 'Products', exact: true }).click()
  await page.getByRole('searchbox').fill('anvil')
  await page.getByRole('searchbox').press('Enter')
  await page
    .getByRole('combobox', { name: 'Manufacturer' })
    .selectOption({ label: 'Westforge (2)' })
  await page.getByText('2 products', { exact: true }).waitFor()
  await everyWidth(page, 'narrowed')
  await page
    .getByRole('combobox', { name: 'Vendor' })
    .selectOption({ label: 'Tidewell Direct (1)' })
  await page.getByText('1 product', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Bulk edit' }).click()
  const dialog = page.getByRole('dialog', {
    name: 'All results for “anvil” by Westforge offered by Tidewell Direct',
  })
  await dialog.getByLabel('Category', { exact: true }).fill('Heavy anvils')
  await dialog.getByRole('button', { name: 'Preview products' }).click()
  await dialog.getByText('P-12').waitFor()
  await everyWidth(page, 'bulk')
  const category = async () => (await editor('GET /api/Catalog/anvils/products/P-12')).body.category
  expect(await category()).toBe('Anvils')
  await dialog.getByRole('button', { name: 'Update 1 product' }).click()
  await dialog.getByText('Completed').waitFor()
  expect(await category()).toBe('Heavy anvils')
  await dialog.getByRole('button', { name: 'Close' }).click()
})

test('a price list receives the prices of a file, and is deleted', async () => {
  await page.getByRole('link', { name: 'Price lists' }).click()
  await page.getByLabel('Name', { exact: true }).fill('dealers')
  await page.getByLabel('Currency').fill('e1')
  await page.getByRole('button', { name: 'Create price list' }).click()
  await page.getByRole('alert').filter({ hasText: 'three capital letters' }).waitFor()
  expect(shop.problems.splice(0)).toEqual([expect.stringContaining('400')])
  await page.getByLabel('Currency').fill('eur')
  await page.getByRole('button', { name: 'Create price list' }).click()
  await page.getByText('No prices yet.').waitFor()
  const upload = (text: string) =>
    page
      .getByLabel('Price file')
      .setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await upload('id;Rebate\nP-1;3\n')
  await page.getByRole('alert').filter({ hasText: 'Unknown column “Rebate”.' }).waitFor()
  await upload('id;price;quantity from\nP-1;7,50;\nP-1;6,90;10\nP-2;dear;\nnone;1;\n')
  await page.getByText('“dear” is not a number').waitFor()
  await page.getByRole('button', { name: 'Upload 3 prices' }).click()
  await page.getByText('2 updated, 0 unchanged, 2 rejected.').waitFor()
  await page.getByText('Product not found.').waitFor()
  const prices = page.getByRole('region', { name: 'Prices', exact: true })
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      return prices.getByRole('row', { name: 'P-1 6.90 10' }).count()
    })
    .toBe(1)
  await everyWidth(page, 'price list')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByLabel('Type “dealers” to confirm').fill('dealers')
  await page.getByRole('button', { name: 'Delete price list' }).click()
  await page.getByText('No price lists yet.').waitFor()
  await everyWidth(page, 'price lists')
})

test('a search key is restricted, shown once and disabled', async () => {
  await page.getByRole('link', { name: 'API keys', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('shop')
  await page.getByRole('checkbox', { name: 'anvils' }).check()
  await page.getByLabel('Limit to manufacturers').fill('Northforge')
  await page.getByLabel('Requests per second (per IP address)').fill('10')
  await page.getByLabel('Allowed origins').fill('shop.example')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('alert').filter({ hasText: 'must be an origin' }).waitFor()
  expect(shop.problems.splice(0)).toEqual([expect.stringContaining('400')])
  await everyWidth(page, 'keys')
  await page.getByLabel('Allowed origins').fill('https://shop.example')
  await page.getByRole('button', { name: 'Create key' }).click()
  const made = page.getByRole('dialog', { name: 'New API key' })
  const secret = await made.locator('code').innerText()
  expect(secret).toMatch(/^aisle_search_/)
  await made.getByRole('button', { name: 'Close' }).click()
  await page.locator('dialog').waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(secret)
  const row = page.getByRole('row', { name: /^shop / })
  await row.getByText('Manufacturers: Northforge').waitFor()
  await row.getByText('Catalogs: anvils').waitFor()
  await row.getByRole('button', { name: 'Disable shop' }).click()
  await page.getByRole('button', { name: 'Disable key' }).click()
  await row.getByText('Disabled').waitFor()
})

test('a task is confirmed, continues and is dismissed', async () => {
  const full = { targetCatalog: 'anvils', vendor: 'Oakvale Supply', fullFile: true }
  await startImport(editor, 'sku,name,price\nP-1,Anvil 1 kg,9\n', { ...full, name: 'full.csv' })
  await expectOk(runExport(editor, 'csv', { catalog: 'anvils' }))
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  const task = page.getByRole('listitem').filter({ hasText: 'full.csv' })
  await task.getByText('does not list 28 of the 29 offers').waitFor()
  await page.getByText(/exported to http/).waitFor()
  const exported = page.getByRole('listitem').filter({ hasText: 'Export · csv' })
  expect(await exported.getByRole('term').allInnerTexts()).toEqual(['Exported'])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    exported.getByRole('button', { name: 'Download file' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('anvils.csv')
  expect(download.url()).toMatch(/^blob:/)
  expect(await readFile(await download.path(), 'utf8')).toContain('Anvil 30 kg')
  await everyWidth(page, 'tasks')
  await task.getByRole('button', { name: 'Confirm' }).click()
  await task.getByText('Completed').waitFor()
  await task.getByText('Offers removed').waitFor()
  await task.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await task.waitFor({ state: 'detached' })
  await page.getByRole('switch', { name: 'Show dismissed' }).check()
  await task.getByRole('button', { name: 'Restore' }).waitFor()
})

test('an import waits for another one of its catalog until that is canceled', async () => {
  const asked = Promise.withResolvers<void>()
  const silent = await startCanary(() => asked.resolve())
  onTestFinished(() => silent.close())
  const body = { fileUrl: `http://127.0.0.1:${silent.port}/slow.csv`, targetCatalog: 'anvils' }
  await expectOk(editor('POST /api/extensions/import/import', { body }))
  await asked.promise
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  const buffer = Buffer.from('sku,name\nP-1,Anvil 1 kg\n')
  await page
    .getByLabel('Drop a file here')
    .setInputFiles({ name: 'own.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByRole('progressbar', { name: 'Progress: own.csv' }).waitFor()
  await page.getByText('Queued').waitFor()
  await everyWidth(page, 'progress')

  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  const slow = page.getByRole('listitem').filter({ hasText: 'slow.csv' })
  await slow.getByText('Running').waitFor()
  await slow.getByRole('button', { name: 'Cancel task' }).click()
  await slow.getByText('Cancelled').first().waitFor()
  await page.getByRole('listitem').filter({ hasText: 'own.csv' }).getByText('Completed').waitFor()
})
