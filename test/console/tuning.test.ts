import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Call, expectOk } from '../support/client.ts'
import { everyWidth, startConsole } from '../support/console.ts'
import type { ShopPage } from '../support/shop.ts'

/** A shop manager sees what people look for, and makes them find it. */
let stop: () => Promise<void>
let viewer: Call
let editor: Call
let shop: ShopPage
let page: Page

const screen = (name: string) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true })

beforeAll(async () => {
  const products = [1, 2, 3].map((at) => ({
    id: `P-${at}`,
    name: `Combination wrench ${at}0 mm`,
    category: 'Wrenches',
    facets: { Finish: ['chrome', 'black', 'zinc'][at - 1]! },
  }))
  const started = await startConsole('console-tuning', 'tools', products)
  stop = started.stop
  shop = started.shop
  page = shop.page
  viewer = await started.organization.as('viewer')
  editor = await started.organization.as('editor')
  await expectOk(viewer('POST /api/search?catalog=tools', { body: { keywords: 'spantool' } }))
  const filters = [{ type: 'category', value: 'Wrenches' }]
  const within = { name: 'Within', when: { query: '', match: 'contains', filters } }
  await expectOk(editor('PUT /api/Catalog/tools/search/rules', { body: [within] }))
}, 120_000)

afterAll(() => stop?.())

afterEach(() => {
  expect(shop.problems.splice(0)).toEqual([])
})

test('what found nothing gets a synonym, with a look before it is saved', {
  timeout: 60_000,
}, async () => {
  await expect
    .poll(async () => {
      const path = 'GET /api/reporting/searches?kind=withoutResults&catalog=tools'
      return (await editor(path)).body.queries.length
    })
    .toBe(1)
  await screen('Reports').click()
  await everyWidth(page, 'reports')
  await page.getByRole('link', { name: 'Make a synonym of spantool' }).click()
  await page.getByLabel('also finds').fill('wrench')
  const then = page.getByRole('region', { name: 'Then' })
  await then.getByText('3 products').waitFor()
  await then.getByText('new').first().waitFor()
  await page.getByRole('region', { name: 'Now' }).getByText('Nothing is found.').waitFor()
  await everyWidth(page, 'synonyms')
  await page.getByRole('button', { name: 'Save synonyms' }).click()
  await page.getByRole('region', { name: 'Now' }).getByText('3 products').waitFor()
  await expect
    .poll(async () => {
      const body = { keywords: 'spantool', analytics: false }
      return (await viewer('POST /api/search/simple?catalog=tools', { body })).body.total
    })
    .toBe(3)
})

test('a rule gives a place, and says at itself what is wrong with it', {
  timeout: 60_000,
}, async () => {
  await screen('Search tuning').click()
  await page.getByRole('link', { name: 'Rules', exact: true }).click()
  await page.getByText('every search within Wrenches').waitFor()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByLabel('When somebody searches').fill('wrench')
  await page.getByRole('button', { name: 'Give a product a place' }).click()
  await page.getByLabel('Id of the product').fill('P-3')
  await page.getByRole('button', { name: 'Save rules' }).click()
  await page.getByRole('group').getByRole('alert').waitFor()
  shop.problems.splice(0)
  await page.getByLabel('Name', { exact: true }).fill('<b>Month</b>')
  await page.getByRole('searchbox', { name: 'Search for' }).fill('wrench')
  const then = page.getByRole('region', { name: 'Then' })
  await expect
    .poll(() => then.getByRole('listitem').first().innerText())
    .toMatch(/30 mm[\s\S]*from 3/)
  await everyWidth(page, 'rules')
  await page.getByRole('button', { name: 'Save rules' }).click()
  await page.getByText('<b>Month</b>').waitFor()
  await page.getByRole('link', { name: 'Ranking', exact: true }).click()
  await everyWidth(page, 'ranking')
  await page.getByRole('link', { name: 'Facets', exact: true }).click()
  await page.getByLabel('These are not shown').fill('Finish')
  await expect.poll(() => then.getByText('Facets: Finish').count()).toBe(0)
  await page.getByRole('region', { name: 'Now' }).getByText('Facets: Finish').waitFor()
  shop.problems.splice(0)
})

test('a user is added and an import installed by its own form', { timeout: 60_000 }, async () => {
  await screen('Users').click()
  await page.getByLabel('User name or mail address').fill('grace@acme.example')
  await page.getByRole('button', { name: 'Add the user' }).click()
  await page.getByLabel('Role of grace@acme.example').selectOption('editor')
  await everyWidth(page, 'users')
  await page.getByRole('button', { name: 'Remove grace@acme.example' }).click()
  await page.getByRole('button', { name: 'Remove the user' }).click()
  await page.getByRole('row', { name: /grace/ }).waitFor({ state: 'detached' })

  await screen('Extensions').click()
  await page.getByRole('button', { name: 'Install File' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('What to call it').fill('Prices')
  await form.getByLabel('Into the catalog').selectOption('tools')
  await form.getByLabel('Runs by itself').fill('every night')
  await form.getByRole('button', { name: 'Try it first' }).click()
  await form.getByRole('alert').first().waitFor()
  await everyWidth(page, 'install')
  await form.getByLabel('Runs by itself').fill('30 2 * * *')
  await form.getByLabel('Where the file is').fill('https://tidewell.example/prices.csv')
  await form.getByRole('button', { name: 'Install it' }).click()
  const row = page.getByRole('row', { name: /^Prices/ })
  await row.getByRole('switch', { name: 'Prices runs' }).uncheck()
  await row.getByRole('button', { name: 'Runs of Prices' }).click()
  await page.getByText('It did not run yet.').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await everyWidth(page, 'extensions')
  await row.getByRole('button', { name: 'Uninstall Prices' }).click()
  await page.getByRole('button', { name: 'Uninstall it' }).click()
  await row.waitFor({ state: 'detached' })
})

test('usage and callbacks are shown', { timeout: 60_000 }, async () => {
  await screen('Usage').click()
  await page.getByRole('row', { name: /^viewer full/ }).waitFor()
  await everyWidth(page, 'usage')
  await screen('Callbacks').click()
  await page.getByText('No task asked for a callback').waitFor()
  await page.getByRole('button', { name: 'New signing secret' }).click()
  await page.getByRole('button', { name: 'Make it' }).click()
  expect(await page.getByRole('dialog').locator('code').innerText()).toMatch(/^whsec_/)
})
