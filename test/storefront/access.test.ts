import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workerBrowser } from '../support/browser.ts'
import { seedCatalog } from '../support/catalog.ts'
import { caller, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { barriers, visit } from '../support/shop.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

/** A service without a demo, and a catalog of an organization on it. */
let service: Standalone
let browser: Browser
let organization: TestOrganization
let key: string
let full: string
let dealer: string

beforeAll(async () => {
  service = await startStandalone('own-shop', { shared: true })
  organization = await newOrganization(service)
  const products = Array.from({ length: 30 }, (_, at) => ({
    id: `P-${at}`,
    name: `Anvil ${at} kg`,
    description: 'Rings when it is struck.',
    manufacturer: at % 2 === 0 ? 'Northforge' : 'Southforge',
    manufacturerPartNumber: `AN-${at}`,
    segment: 'Smithy',
    category: 'Anvils',
    facets: { Face: ['flat', 'crowned', 'stepped'][at % 3]! },
    filters: { 'Weight (kg)': at + 1 },
    vendors: [{ vendorName: 'Oakvale Supply', cost: 10 + at, onHand: at, inStock: at > 0 }],
  }))
  await seedCatalog(service, organization, products, 'anvils')
  key = await organization.key('viewer', 'search')
  full = await organization.key('viewer')
  const list = '/api/Catalog/anvils/priceLists/dealers'
  await expectOk(organization.call(`PUT ${list}`, { body: { currency: 'EUR' } }))
  const lines = [
    { id: 'P-12', price: 7.5 },
    { id: 'P-12', price: 6, quantityFrom: 10 },
  ]
  await expectOk(organization.call(`POST ${list}/prices`, { body: { lines } }))
  const bound = { name: 'dealers', keyType: 'search', username: 'viewer', priceList: 'dealers' }
  dealer = (await expectOk(organization.call('POST /api/KeyAuth/keys', { body: bound }))).body.key
  browser = await workerBrowser()
})

afterAll(() => service?.stop())

async function signIn(page: Page, given: string, catalog = 'anvils') {
  await page.getByLabel('API key').fill(given)
  await page.getByLabel('Catalog').fill(catalog)
  await page.getByRole('button', { name: 'Open catalog' }).click()
}

describe('without a demo catalog', () => {
  test('a catalog opens with its key, which stays in the tab', async () => {
    const { page, problems } = await visit(browser, service)
    await page.getByRole('heading', { name: 'Sign in to your catalog' }).waitFor()
    await signIn(page, `${key}x`)
    await page.getByRole('alert').filter({ hasText: /key/i }).waitFor()
    await signIn(page, key, 'nothing')
    await page
      .getByRole('alert')
      .filter({ hasText: /catalog/i })
      .waitFor()
    expect(problems.splice(0)).toEqual([
      expect.stringContaining('401'),
      expect.stringContaining('404'),
    ])
    await signIn(page, 'schlüssel')
    await page.getByRole('alert').filter({ hasText: 'outside ASCII' }).waitFor()
    await signIn(page, key, '')
    await page.getByRole('alert').filter({ hasText: 'Enter a catalog name' }).waitFor()
    expect(problems).toEqual([])
    await signIn(page, key)
    await page.getByRole('link', { name: 'Anvils', exact: true }).click()
    await page.getByRole('link', { name: 'Anvil 12 kg' }).waitFor()
    expect(page.url()).not.toContain(key)
    expect(await page.content()).not.toContain(key)
    expect(await page.evaluate('document.cookie + Object.values(localStorage)')).not.toContain(key)
    await page.reload()
    await page.getByRole('link', { name: 'Anvil 12 kg' }).waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'anvils' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to your catalog' }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })
})

test('a key with a price list shows its prices, in its currency', async () => {
  const { page, problems } = await visit(browser, service, '/?q=anvil+12')
  await signIn(page, dealer)
  const hit = page.getByRole('listitem').filter({ hasText: 'Anvil 12 kg' })
  await hit.getByText('€7.50').waitFor()
  await hit.getByRole('link').click()
  await page.getByText('10 or more: €6.00 each').waitFor()
  await page.reload()
  await page.getByText('10 or more: €6.00 each').waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('a link opens in another tab with the same access, until one signs out', async () => {
  const first = await visit(browser, service, '/?product=P-3')
  await first.page.getByLabel('API key').fill(full)
  await first.page.getByRole('button', { name: 'Open catalog' }).click()
  await first.page.getByRole('heading', { name: 'Anvil 3 kg' }).waitFor()
  const second = await first.page.context().newPage()
  await second.goto(`${service.address}/?q=anvil+12`)
  await second.getByRole('link', { name: 'Anvil 12 kg' }).waitFor()
  expect(await second.evaluate('document.cookie + Object.values(localStorage)')).not.toContain(full)
  await first.page.getByRole('banner').getByRole('button', { name: 'anvils' }).click()
  await first.page.getByRole('button', { name: 'Sign out' }).click()
  await first.page.getByRole('heading', { name: 'Sign in to your catalog' }).waitFor()
  await second.getByRole('heading', { name: 'Sign in to your catalog' }).waitFor()
  expect(first.problems).toEqual([])
  await first.page.context().close()
})

test('a visitor whose key expires enters another one, and loses nothing', async () => {
  const body = { name: 'lent', keyType: 'full', username: 'viewer' }
  const lent = (await expectOk(organization.call('POST /api/KeyAuth/keys', { body }))).body
  const { page, problems } = await visit(browser, service, '/?product=P-7')
  await signIn(page, lent.key)
  await page.getByText('Add a note').click()
  await page.getByLabel('Your note').fill('Rings well.')
  await expectOk(organization.call(`DELETE /api/KeyAuth/keys/${lent.id}`))
  const withLent = caller(service, { key: lent.key })
  await expect.poll(async () => (await withLent('GET /api/Catalog')).status).toBe(401)

  await page.getByRole('button', { name: 'Save note' }).click()
  const ended = page.getByRole('dialog', { name: 'You’ve been signed out' })
  await ended.getByLabel('API key').fill(lent.key)
  await ended.getByRole('button', { name: 'Continue' }).click()
  await ended.getByRole('alert').filter({ hasText: /key/i }).waitFor()
  await ended.getByLabel('API key').fill(key)
  await ended.getByRole('button', { name: 'Continue' }).click()
  await ended.getByRole('alert').filter({ hasText: 'personal key' }).waitFor()
  expect(await barriers(page)).toEqual([])
  await ended.getByLabel('API key').fill(full)
  await ended.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('region', { name: 'Notes' }).getByText('Rings well.').waitFor()
  await ended.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('region', { name: 'Notes' }).getByText('Rings well.').waitFor()
  for (const secret of [lent.key, full]) expect(page.url()).not.toContain(secret)
  expect(problems.filter((one) => !one.includes('401'))).toEqual([])
  await page.context().close()
})

const PALE =
  "[...document.querySelectorAll('.grid')].some((grid) => getComputedStyle(grid).opacity !== '1')"

describe('accessibility', () => {
  const sizes = [
    { width: 360, height: 740, colorScheme: 'dark' },
    { width: 900, height: 800, colorScheme: 'light' },
    { width: 1600, height: 1000, colorScheme: 'dark' },
  ] as const

  test.each(sizes)('at $width px, $colorScheme', async ({ width, height, colorScheme }) => {
    const { page, problems } = await visit(browser, service, '/', {
      viewport: { width, height },
      colorScheme,
    })
    const found: Record<string, unknown> = {}
    const look = async (name: string) => {
      // While a search is slow, its old results are shown pale.
      await expect.poll(() => page.evaluate(PALE)).toBe(false)
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      found[name] = { barriers: await barriers(page), wide: Math.max(wide, width) - width }
    }
    await look('sign in')
    await signIn(page, full)
    await page.getByRole('heading', { name: 'Smithy' }).waitFor()
    await look('home')
    await page.getByRole('banner').getByRole('button', { name: 'anvils' }).click()
    await page.getByRole('heading', { name: 'You’re signed in' }).waitFor()
    await look('signed in')
    await page.goto(`${service.address}/?q=anvls+zzyy&brand=Northforge`)
    await page.getByRole('list', { name: 'Results' }).waitFor()
    await look('results')
    const open = page.getByRole('button', { name: 'Filters', exact: true })
    if (await open.isVisible()) {
      await open.click()
      await page.getByRole('dialog').getByRole('checkbox', { name: 'crowned' }).check()
      await look('filters')
      await page.getByRole('button', { name: /^Show \d+ products?$/ }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const answered = page.waitForResponse(/api\/search\?/)
    await page.getByRole('combobox', { name: 'Search products' }).fill('anv')
    await page.getByRole('option').first().waitFor()
    await answered
    await look('suggestions')
    await page.goto(`${service.address}/?product=P-3`)
    await page.getByRole('table').waitFor()
    await look('product')
    await page.goto(`${service.address}/?q=zzyyxxqq`)
    await page.getByRole('heading', { name: 'No products found' }).waitFor()
    await look('nothing')
    const well = Object.keys(found).map((name) => [name, { barriers: [], wide: 0 }])
    expect(found).toEqual(Object.fromEntries(well))
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a keyboard user can skip the filters to the results', async () => {
    const { page } = await visit(browser, service)
    await signIn(page, key)
    await page.getByRole('heading', { name: 'Smithy' }).waitFor()
    await page.goto(`${service.address}/?q=anvil`)
    await page.getByRole('list', { name: 'Results' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.role')).toBe('combobox')
    await page.context().close()
  })
})
