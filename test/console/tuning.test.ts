import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { callbacksOf } from '../support/callbacks.ts'
import { type Call, expectOk } from '../support/client.ts'
import { everyWidth, startConsole } from '../support/console.ts'
import { startImport } from '../support/imports.ts'
import { startReceiver } from '../support/receiver.ts'
import type { ShopPage } from '../support/shop.ts'

/** A shop manager who looks at what people search for, and tunes the results. */
let stop: () => Promise<void>
let viewer: Call
let editor: Call
let administrator: Call
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
  administrator = started.organization.call
  await expectOk(viewer('POST /api/search?catalog=tools', { body: { keywords: 'spantool' } }))
  const filters = [{ type: 'category', value: 'Wrenches' }]
  const within = { name: 'Within', when: { query: '', match: 'contains', filters } }
  await expectOk(editor('PUT /api/Catalog/tools/search/rules', { body: [within] }))
}, 120_000)

/** Drops errors of refused previews, which are expected while a line is incomplete. */
const forgetRefused = () => {
  shop.problems.push(...shop.problems.splice(0).filter((one) => !one.includes('400')))
}

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
  forgetRefused()
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

test('of two managers neither overwrites the other in silence', { timeout: 60_000 }, async () => {
  const line = (part: string) => `PUT /api/Catalog/tools/search/${part}`
  await screen('Search tuning').click()
  const word = page.getByLabel('Mean the same').last()
  await page.getByRole('button', { name: 'Words that mean the same' }).click()
  await word.fill('gizmo, wrench')
  await expectOk(editor(line('ranking'), { body: { stopPhrases: ['looking for'] } }))
  // An independent change by somebody else is not a conflict.
  await page.getByRole('button', { name: 'Save synonyms' }).click()
  await expect
    .poll(async () => JSON.stringify((await editor('GET /api/Catalog/tools/search/settings')).body))
    .toMatch(/gizmo.*looking for/)
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Words that mean the same' }).click()
  await word.fill('mine, wrench')
  const theirs = { groups: [{ words: ['theirs', 'wrench'] }] }
  await expectOk(editor(line('synonyms'), { body: theirs }))
  await page.getByRole('button', { name: 'Save synonyms' }).click()
  await page.getByRole('alert').filter({ hasText: 'changed synonyms meanwhile' }).waitFor()
  await everyWidth(page, 'met')
  const { body } = await editor('GET /api/Catalog/tools/search/synonyms')
  expect(body.groups).toMatchObject(theirs.groups)
  await page.getByRole('button', { name: 'Show theirs, drop mine' }).click()
  await expect.poll(() => word.inputValue()).toContain('theirs')
  forgetRefused()
  expect(shop.problems.splice(0)).toEqual(Array(2).fill(expect.stringContaining('412')))
})

test('a change is compared as an experiment, and adopted', { timeout: 60_000 }, async () => {
  await screen('Experiments').click()
  await page.getByText('None runs.').waitFor()
  await screen('Search tuning').click()
  await page.getByRole('link', { name: 'Facets', exact: true }).click()
  await page.getByLabel('These are not shown').fill('Finish, Batch')
  await page.getByRole('button', { name: 'Compare as an experiment' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Fewer facets')
  await form.getByLabel('Visitors who search by it').fill('25')
  await form.getByRole('button', { name: 'Start it' }).click()
  await page.getByText('25 % of the visitors search by other facets.').waitFor()
  await page.getByRole('row', { name: /Mean place of what was clicked/ }).waitFor()
  await everyWidth(page, 'experiments')
  await page.getByRole('button', { name: 'Adopt it for all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Adopt it for all' }).click()
  await page.getByText('None runs.').waitFor()
  const { body } = await editor('GET /api/Catalog/tools/search/facets')
  expect(body.hidden).toEqual(['Finish', 'Batch'])
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
  await row.getByRole('button', { name: 'Change Prices' }).click()
  expect(await form.getByLabel('Where the file is').inputValue()).toContain('prices.csv')
  await form.getByLabel('Runs by itself').fill('45 3 * * *')
  await form.getByRole('button', { name: 'Save it' }).click()
  await row.getByText('45 3 * * *').waitFor()
  await row.getByRole('switch', { name: 'Prices runs' }).uncheck()
  await row.getByRole('button', { name: 'Runs of Prices' }).click()
  await page.getByText('It did not run yet.').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await everyWidth(page, 'extensions')
  await row.getByRole('button', { name: 'Uninstall Prices' }).click()
  await page.getByRole('button', { name: 'Uninstall it' }).click()
  await row.waitFor({ state: 'detached' })
})

test('the audit log tells who changed what', { timeout: 60_000 }, async () => {
  const user = 'PUT /api/organizations/current/users/hedy'
  for (const role of ['viewer', 'editor']) await expectOk(administrator(user, { body: { role } }))
  await screen('Audit log').click()
  await page.getByLabel('What').selectOption('Users')
  await page.getByRole('button', { name: 'Show' }).click()
  const changed = page.getByRole('row', { name: /Save User to Organization.*hedy/ }).first()
  await changed.getByText('role: viewer editor').waitFor()
  await everyWidth(page, 'audit')
  await page.getByLabel('User', { exact: true }).fill('nobody')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('Nothing of this is kept.').waitFor()
  await page.getByLabel('User', { exact: true }).fill('administrator')
  await page.getByRole('button', { name: 'Show' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save this page as a table' }).click()
  expect((await saving).suggestedFilename()).toBe('audit.csv')
})

test('usage is shown, and a callback is sent again', { timeout: 60_000 }, async () => {
  await screen('Usage').click()
  await page.getByRole('row', { name: /^viewer full/ }).waitFor()
  await everyWidth(page, 'usage')
  await screen('Callbacks').click()
  await page.getByText('No task asked for a callback').waitFor()
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const told = { targetCatalog: 'tools', callbackUrl: receiver.url('/<b>told</b>') }
  await startImport(editor, 'id,name\nP-9,Hex key\n', told)
  const known = async () => (await callbacksOf(administrator))[0]?.status
  await expect.poll(known).toBe('delivered')
  await page.reload()
  const row = page.getByRole('row', { name: /told/ })
  await row.getByText('delivered').waitFor()
  await everyWidth(page, 'callbacks')
  await row.getByRole('button', { name: /^Send again/ }).click()
  await row.getByText('It is due.').waitFor()
  await expect.poll(() => receiver.received().length).toBe(2)
  await page.getByRole('button', { name: 'New signing secret' }).click()
  await page.getByRole('button', { name: 'Make it' }).click()
  expect(await page.getByRole('dialog').locator('code').innerText()).toMatch(/^whsec_/)
})
