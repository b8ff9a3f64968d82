import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { workerBrowser } from '../support/browser.ts'
import { caller, expectOk, serviceAt } from '../support/client.ts'
import { everyWidth } from '../support/console.ts'
import { type ShopPage, visit } from '../support/shop.ts'
import { type Started, startProcess } from '../support/started.ts'

/** A new user with a file, who has just run `npm start` and knows nothing but what it printed. */
let started: Started
let address: string
let key: string
let shop: ShopPage
let page: Page

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'aisle-console-import-'))
  const settings = { HOME: dataDir }
  started = startProcess({ dataDir, prefix: 'console-import', settings, npm: true })
  key = await started.printed(/^aisle: operator key \(shown only once\): (\S+)\n/m)
  address = await started.listening()
  const operator = caller(serviceAt(address), { key })
  // The demo, which an embedded engine loads, is in an organization, too.
  await expectOk(operator('POST /api/organizations', { body: { name: 'Demo' } }))
  const storefront = await started.printed(/^aisle: storefront: (\S+)\n/m)
  shop = await visit(await workerBrowser(), { address }, storefront.slice(address.length))
  page = shop.page
})

afterAll(async () => {
  await page?.context().close()
  await started?.kill()
})

test('the page can run only its own scripts', async () => {
  const { headers } = await fetch(`${address}/console`)
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'self'; img-src /)
  expect(headers.get('content-security-policy')).not.toContain('unsafe')
})

const FILE = `Artikelnummer;Bezeichnung;Marke;Betrag;Regal;Farbe;Lieferstatus;Bestand;Intern
S-1;Forge anvil 30 kg;Northforge;89,50;A4;Blau;sofort lieferbar;4;x
S-2;<img src=x onerror=alert(1)>;Southforge;12,00;B1;Rot;ausverkauft;-2;
S-3;Horn anvil 12 kg;Northforge;zwölf;B2;Rot;ausverkauft;0;
`
const NAME = '<b>own</b>.csv'

/** Drags files with these names, each with the text of FILE, to the box for files. */
async function drag(event: 'dragover' | 'drop', ...names: string[]) {
  const dataTransfer = await page.evaluateHandle(`((names, text) => {
    const data = new DataTransfer()
    for (const name of names) data.items.add(new File([text], name))
    return data
  })(${JSON.stringify(names)}, ${JSON.stringify(FILE)})`)
  await page.locator('.drop').dispatchEvent(event, { dataTransfer })
}

/** Drops a folder as a mouse does, since a page cannot make one to drop. */
async function dropFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-dropped-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { x, y } = (await page.locator('.drop').boundingBox())!
  const data = { items: [], files: [folder], dragOperationsMask: 1 }
  const browser = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browser.send('Input.dispatchDragEvent', { type, x: x + 20, y: y + 20, data })
  }
  await browser.detach()
}

/** Whether the browser opens a file that is dropped beside the box, as it does unless told not to. */
const opensDropped = () =>
  page.evaluate<boolean>(`(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['id'], 'own.csv'))
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
    return document.querySelector('h1').dispatchEvent(drop)
  })()`)

const border = () =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('.drop')).borderColor`)

test('a new user goes from `npm start` to their own file in the storefront', async () => {
  await page.getByRole('heading', { name: 'Sign in to your catalog' }).waitFor()
  await page.goto(await started.printed(/^aisle: console: (\S+)\n/m))
  await page.getByLabel('API key').fill(`${key}x`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: /key/i }).waitFor()
  expect(shop.problems.splice(0)).toEqual([expect.stringContaining('401')])
  await everyWidth(page, 'sign in')
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Demo' }).click()
  await page.getByLabel('New organization').fill('Own shop')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('No catalogs yet.').waitFor()

  await page.getByRole('link', { name: 'Import', exact: true }).click()
  const atRest = await border()
  await drag('dragover', NAME)
  await expect.poll(border).not.toBe(atRest)
  await page.locator('.drop').dispatchEvent('dragleave')
  await expect.poll(border).toBe(atRest)
  await drag('drop', NAME, 'second.csv')
  const refusal = page.getByRole('alert')
  await refusal.filter({ hasText: 'You dropped 2 files' }).waitFor()
  await drag('drop')
  await refusal.filter({ hasText: 'That was not a file.' }).waitFor()
  await dropFolder()
  await refusal.filter({ hasText: 'That was a folder.' }).waitFor()
  expect(await opensDropped()).toBe(false)
  await everyWidth(page, 'drop')
  await drag('drop', NAME)
  await page.getByText(NAME, { exact: true }).waitFor()
  expect(await refusal.count()).toBe(0)
  await page.getByText('Separated by semicolons').waitFor()
  const field = (name: string) => page.getByLabel(`Import ${name} as`, { exact: true })
  expect(await field('Artikelnummer').inputValue()).toBe('id')
  expect(await field('Regal').inputValue()).toBe('attribute')
  expect(await field('Farbe').inputValue()).toBe('facet')
  expect(await field('Lieferstatus').inputValue()).toBe('vendor.status')
  expect(await page.getByText('Use suggestion').count()).toBe(0)
  await page.getByText('<img src=x onerror=alert(1)>', { exact: true }).waitFor()
  await everyWidth(page, 'look')
  await field('Regal').selectOption('facet')
  await field('Betrag').selectOption('vendor.cost')
  await field('Intern').selectOption('Skip this column')

  await page.getByLabel('Name', { exact: true }).fill('own')
  await page.getByRole('button', { name: 'Create catalog' }).click()
  await page.getByRole('button', { name: 'Test first 100 rows' }).click()
  await page.getByText('Of the first rows, 2 would create a product').waitFor()
  await page.getByRole('status').getByText('Line 4').waitFor()
  await everyWidth(page, 'trial')

  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByRole('heading', { name: 'Import complete' }).waitFor()
  await page.getByText('Rows with a stock below 0, imported as 0: 1.', { exact: true }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download rejected rows' }).click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toContain('zwölf')
  await page.locator('summary').filter({ hasText: 'Imported columns' }).click()
  const became = page.getByRole('region', { name: 'Imported columns' }).getByRole('row')
  const cells = (await became.allInnerTexts()).map((row) => row.split('\t'))
  expect(cells.slice(1)).toEqual([
    ['Artikelnummer', 'ID or SKU', '3'],
    ['Bezeichnung', 'Name', '3'],
    ['Marke', 'Manufacturer or brand', '3'],
    ['Betrag', 'Price', '3'],
    ['Regal', 'Facet “Regal”', '3'],
    ['Farbe', 'Facet “Farbe”', '3'],
    ['Lieferstatus', 'Offer status', '3'],
    ['Bestand', 'Stock', '3'],
    ['Intern', 'Skipped', '1'],
  ])
  await everyWidth(page, 'imported')

  await page.getByRole('link', { name: 'Open in storefront' }).click()
  await page.getByRole('combobox', { name: 'Search products' }).fill('forge anvil')
  const found = page.getByRole('listitem').filter({ hasText: 'Forge anvil 30 kg' })
  await found.getByText('89.50').waitFor()
  await found.getByText('In stock').waitFor()
  await page.getByRole('link', { name: 'Forge anvil 30 kg' }).click()
  const details = page.getByRole('region', { name: 'Specifications' })
  await details.getByText('Regal').waitFor()
  await details.getByText('Blau').waitFor()
  expect(page.url()).not.toContain(key)
  expect(shop.problems).toEqual([])
})

test('a user continues from there to a key for a page', async () => {
  await page.goto(`${address}/console?page=keys`)
  await page.getByText('No API keys yet.').waitFor()
  await page.getByRole('link', { name: 'add one' }).click()
  await page.getByLabel('Username or email').fill('ada@own.example')
  await page.getByRole('button', { name: 'Add user' }).click()
  await page.getByRole('cell', { name: 'ada@own.example' }).waitFor()

  await page.getByRole('link', { name: 'API keys', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('shop')
  await page.getByRole('checkbox', { name: 'own' }).check()
  await page.getByRole('checkbox', { name: /costs/ }).uncheck()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('alert').filter({ hasText: 'name one of its users' }).waitFor()
  expect(shop.problems.splice(0)).toEqual([expect.stringContaining('400')])
  await page.getByRole('combobox', { name: 'User' }).selectOption('ada@own.example')
  await page.getByRole('button', { name: 'Create key' }).click()
  const made = page.getByRole('dialog', { name: 'New API key' })
  const query = new URLSearchParams({
    ...{ key: await made.locator('code').innerText(), keywords: 'anvil', fields: 'name,price' },
  })
  const answer = await fetch(`${address}/api/search?${query}`)
  const products = [{ name: 'Forge anvil 30 kg', price: 89.5 }]
  expect(await answer.json()).toMatchObject({ products })
  expect(shop.problems).toEqual([])
})

test('a catalog is deleted after its name is typed', async () => {
  await page.goto(`${address}/console`)
  const row = page.getByRole('row', { name: /^own/ })
  await row.getByRole('cell', { name: '2', exact: true }).waitFor()
  await everyWidth(page, 'catalogs')
  await row.getByRole('button', { name: 'Delete own' }).click()
  const confirm = page.getByRole('dialog')
  await confirm.getByLabel('Type “own” to confirm').fill('ow')
  expect(await confirm.getByRole('button', { name: 'Delete catalog' }).isDisabled()).toBe(true)
  await everyWidth(page, 'delete')
  await confirm.getByLabel('Type “own” to confirm').fill('own')
  await confirm.getByRole('button', { name: 'Delete catalog' }).click()
  await page.getByText('No catalogs yet.').waitFor()
  expect(await page.evaluate('document.cookie + Object.values(localStorage)')).not.toContain(key)
  expect(await page.content()).not.toContain(key)
  await page.getByRole('banner').getByRole('button').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
  expect(await page.evaluate('Object.values(sessionStorage).join()')).not.toContain(key)
  await page.reload()
  await page.getByLabel('API key').waitFor()
  expect(shop.problems).toEqual([])
})
