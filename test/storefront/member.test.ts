import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { workerBrowser } from '../support/browser.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, caller, expectOk, newOrganization } from '../support/client.ts'
import { barriers, beyondPhone, type ShopPage, visit } from '../support/shop.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

/** Tests what a visitor with a personal key can do besides searching. */
let service: Standalone
let browser: Browser
let editor: Call
let shop: ShopPage
let page: Page
let key: string

beforeAll(async () => {
  service = await startStandalone('member-shop', { shared: true })
  const organization = await newOrganization(service)
  const product = (at: number) => ({
    id: `P-${at}`,
    name: `Anvil ${at} kg`,
    manufacturer: 'Northforge',
    manufacturerPartNumber: `AN-00${at}`,
    category: 'Anvils',
    vendors: [{ vendorName: 'Oakvale Supply', cost: 10 * at, onHand: at, inStock: true }],
  })
  const apron = (size: string, cost: number) => ({
    id: `A-${size}`,
    name: `Forge apron ${size}`,
    groupId: 'APRON',
    options: { Size: size },
    attributes: { Leather: 'split cowhide', 'Variant Inventory Tracker': 'shopify' },
    vendors: [{ vendorName: 'Oakvale Supply', cost, onHand: 1, inStock: true }],
  })
  const aprons = [apron('M', 40), apron('XL', 45), apron('S', 38)]
  await seedCatalog(service, organization, [...[1, 2, 3].map(product), ...aprons], 'anvils')
  editor = await organization.as('editor')
  for (const call of [editor, await organization.as('administrator')]) {
    await expectOk(call('POST /api/search?catalog=anvils', { body: { keywords: 'anvil horn' } }))
    await expectOk(call('POST /api/search?catalog=anvils', { body: { keywords: 'apron' } }))
  }
  key = await organization.key('viewer')
  browser = await workerBrowser()
})

afterAll(() => service?.stop())

beforeEach(async () => {
  shop = await visit(browser, service)
  page = shop.page
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Open catalog' }).click()
  await page.getByRole('link', { name: 'Lists' }).waitFor()
  return async () => {
    expect(shop.problems).toEqual([])
    await page.context().close()
  }
})

/** Asserts that nobody is kept out, and that a phone does not scroll sideways. */
const expectOpen = async () => {
  expect({ barriers: await barriers(page), wide: await beyondPhone(page) }).toEqual({
    ...{ barriers: [], wide: 0 },
  })
}

test('explains the rank of a hit', async () => {
  await page.getByRole('combobox', { name: 'Search products' }).fill('anvil')
  await page.getByRole('list', { name: 'Results' }).waitFor()
  await page.getByRole('combobox', { name: 'Search products' }).press('Enter')
  await page.getByRole('switch', { name: 'Explain' }).check()
  await page.getByText('“anvil” in name, exact').first().waitFor()
  expect(shop.searches.at(-1)).toMatchObject({ explain: true })
  await expectOpen()
})

test.each([
  { name: 'Lists', line: '**/api/workspaces*', empty: 'You don’t have any lists yet.' },
  { name: 'Favorites', line: '**/api/favorites*', empty: 'No favorites yet' },
])('$name say that they are loading, failed or empty, and load again', async (given) => {
  const { name, line, empty } = given
  const answering = Promise.withResolvers<void>()
  await page.route(line, async (route) => {
    await answering.promise
    await route.fulfill({ status: 503, json: { success: false, message: 'The index is away.' } })
  })
  await page.getByRole('link', { name }).click()
  await page.getByRole('status').filter({ hasText: 'Loading…' }).waitFor()
  await expectOpen()
  expect(await page.getByText(empty).count()).toBe(0)
  answering.resolve()
  await page.getByRole('heading', { name: `We couldn’t load your ${name.toLowerCase()}` }).waitFor()
  const problem = page.getByRole('alert')
  expect(await problem.innerText()).toBe('The index is away.')
  await expectOpen()

  await page.unroute(line)
  await page.route(line, (route) => route.abort())
  const again = page.getByRole('button', { name: 'Try again' })
  await again.press('Enter')
  await problem.filter({ hasText: 'The service is unreachable.' }).waitFor()
  const focused = () => page.evaluate<string>('document.activeElement.innerText.trim()')
  await expect.poll(focused).toBe('Try again')
  await page.unroute(line)
  await again.press('Enter')
  await page.getByText(empty).waitFor()
  await problem.waitFor({ state: 'detached' })
  const focus = () => page.evaluate('[document.activeElement.id, scrollY]')
  await expect.poll(focus).toEqual(['main', 0])
  expect(await page.locator('[aria-current=page]').allInnerTexts()).toEqual([name])
  await expectOpen()
  const refused = /503|ERR_FAILED/
  expect(shop.problems.splice(0).filter((one) => !refused.test(one))).toEqual([])
})

test('stores a favorite and a note, and shows prices over time', async () => {
  for (const cost of [30, 25]) {
    const vendors = [{ vendorName: 'Oakvale Supply', cost, onHand: 2, inStock: true }]
    await expectOk(editor('PUT /api/Catalog/anvils/products/P-2', { body: { vendors } }))
  }
  await expect
    .poll(async () => {
      const { body } = await editor('GET /api/Catalog/anvils/products/P-2/insights')
      return body.vendorInsights.length
    })
    .toBe(2)
  await expectOk(editor('PUT /api/Catalog/anvils/products/P-2/tags', { body: ['<i>loud</i>'] }))
  await page.goto(`${service.address}/?product=P-2`)
  await page.getByText('<i>loud</i>', { exact: true }).waitFor()
  await page.getByRole('heading', { name: /^Price history since/ }).waitFor()
  await page
    .getByRole('region', { name: /^Price history since/ })
    .getByText('25.00')
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Add to favorites' }).click()
  await page.getByRole('button', { name: 'Saved to favorites', pressed: true }).waitFor()
  await page.getByText('Add a note').click()
  await page.getByLabel('Your note').fill('Rings <b>well</b>.')
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByRole('region', { name: 'Notes' }).getByText('Rings <b>well</b>.').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Saved to favorites', pressed: true }).waitFor()
  await expectOpen()
  const own = caller(service, { key })
  const total = async () => (await own('GET /api/favorites?catalog=anvils')).body.total
  await expect.poll(total).toBe(1)
  await page.getByRole('link', { name: 'Favorites' }).click()
  await page.getByRole('list', { name: 'Favorites' }).getByRole('link').waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Anvil 2 kg' }).waitFor()
  await expectOpen()
})

test('shows one hit with its variants, and popular searches', async () => {
  const box = page.getByRole('combobox', { name: 'Search products' })
  const path = 'GET /api/search/quicksearch?catalog=anvils&search=&include=queries'
  await expect.poll(async () => (await editor(path)).body.suggestions.queries.length).toBe(1)
  await box.click()
  const others = page.getByRole('group', { name: 'Popular searches' })
  await others.getByRole('option', { name: 'apron' }).click()
  await page.getByText('3 options').waitFor()
  await page.getByText('Size S, M, XL').waitFor()
  expect(shop.searches.at(-1)).toMatchObject({ keywords: 'apron', group: true })
  const results = page.getByRole('list', { name: 'Results' }).getByRole('link')
  await expect.poll(() => results.count()).toBe(1)
  await results.click()
  const variants = page.getByRole('region', { name: 'Options' })
  const rows = variants.getByRole('rowheader')
  await expect.poll(() => rows.allInnerTexts()).toEqual(['S', 'M', 'XL'])
  await variants.getByRole('link', { name: 'XL' }).click()
  await page.getByRole('heading', { level: 1, name: 'Forge apron XL' }).waitFor()
  await variants.locator('[aria-current]', { hasText: 'XL' }).waitFor()
  await page.getByText('split cowhide').waitFor()
  expect(await page.getByText('Variant Inventory Tracker').count()).toBe(0)
  await expectOpen()
})

test('creates a list from a product and a pasted text, with its total', async () => {
  await page.goto(`${service.address}/?product=P-1`)
  await page.getByLabel('Quantity').fill('4')
  await page.getByLabel('List', { exact: true }).fill('Smithy')
  await page.getByRole('button', { name: 'Add to list' }).click()
  await page.getByRole('link', { name: 'Smithy' }).click()
  const list = page.getByRole('region', { name: 'Smithy' })
  await list.getByText('40.00').last().waitFor()

  await page
    .getByLabel('Part numbers and quantities')
    .fill('3x AN-003\n2 anvil northforge 2 kg\n7 qqzzyyxx')
  await page.getByRole('button', { name: 'Find products' }).click()
  const lines = page.getByRole('combobox', { name: 'Product for' })
  await expect.poll(() => lines.count()).toBe(2)
  const unknown = page.getByRole('listitem').filter({ hasText: '7 qqzzyyxx' })
  await unknown.getByText('No matches for this line').waitFor()
  expect(await lines.first().inputValue()).toBe('P-3')
  await lines.nth(1).selectOption('P-1')
  await page.getByLabel('List', { exact: true }).fill('Smithy')
  await page.getByRole('button', { name: 'Add 2 items to list' }).click()
  await list.getByRole('link', { name: 'Anvil 3 kg' }).waitFor()
  const quantity = list.getByLabel('Quantity for Anvil 3 kg')
  await quantity.fill('5')
  await quantity.press('Tab')
  await list.getByText('150.00').first().waitFor()
  await expectOpen()
  await list.getByRole('button', { name: 'Remove Anvil 3 kg from list' }).click()
  await list.getByRole('link', { name: 'Anvil 3 kg' }).waitFor({ state: 'detached' })
})
