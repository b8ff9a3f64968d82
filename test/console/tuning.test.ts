import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { callbacksOf } from '../support/callbacks.ts'
import { type Call, expectOk } from '../support/client.ts'
import { startCanary } from '../support/connection-counter.ts'
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
  page
    .getByRole('navigation', { name: 'Main', exact: true })
    .getByRole('link', { name, exact: true })

beforeAll(async () => {
  const products = [1, 2, 3].map((at) => ({
    id: `P-${at}`,
    name: wrench(at),
    category: 'Wrenches',
    facets: { Finish: ['chrome', 'black', 'zinc'][at - 1]! },
    filters: { Sold: at },
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
})

const wrench = (at: number) => `Combination wrench ${at}0 mm`
const places = (...at: number[]) => at.map(wrench)
const onOneLine = (text: string) => text.replace(/\s+/g, ' ')

/** Drops errors of refused previews, which are expected while a line is incomplete. */
const forgetRefused = () => {
  shop.problems.push(...shop.problems.splice(0).filter((one) => !one.includes('400')))
}

/** Keeps the settings from being saved until `finish` is called. */
async function holdSaving() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const line = '**/search/settings'
  await page.route(line, async (route) => {
    if (route.request().method() === 'PUT') await promise
    await route.continue()
  })
  return {
    async finish() {
      const saved = page.waitForResponse((one) => one.request().method() === 'PUT')
      resolve()
      // The route stays: a request that begins while it is removed would be held for good.
      await saved
    },
  }
}

afterAll(() => stop?.())

afterEach(() => {
  expect(shop.problems.splice(0)).toEqual([])
})

test('a query without results gets a synonym, with a preview before it is saved', async () => {
  await expect
    .poll(async () => {
      const path = 'GET /api/reporting/searches?kind=withoutResults&catalog=tools'
      return (await editor(path)).body.queries.length
    })
    .toBe(1)
  await screen('Reports').click()
  await everyWidth(page, 'reports')
  await page.getByRole('link', { name: 'Add synonym for spantool' }).click()
  await page.getByLabel('Also finds').fill('wrench')
  const then = page.getByRole('region', { name: 'With changes' })
  await then.getByText('3 products').waitFor()
  await then.getByText('New').first().waitFor()
  await page.getByRole('region', { name: 'Current' }).getByText('No results.').waitFor()
  forgetRefused()
  await everyWidth(page, 'synonyms')
  await page.getByRole('button', { name: 'Save synonyms' }).click()
  await page.getByRole('region', { name: 'Current' }).getByText('3 products').waitFor()
  await expect
    .poll(async () => {
      const body = { keywords: 'spantool', analytics: false }
      return (await viewer('POST /api/search/simple?catalog=tools', { body })).body.total
    })
    .toBe(3)
})

test('a rule pins a product, and shows its validation problems', async () => {
  await screen('Search tuning').click()
  await page.getByRole('link', { name: 'Rules', exact: true }).click()
  await page.getByText('Every search within Wrenches').waitFor()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByLabel('Query', { exact: true }).fill('wrench')
  await page.getByRole('button', { name: 'Pin a product' }).click()
  await page.getByLabel('Product ID', { exact: true }).fill('P-3')
  await page.getByRole('button', { name: 'Save rules' }).click()
  await page.getByRole('group').getByRole('alert').waitFor()
  shop.problems.splice(0)
  await page.getByLabel('Name', { exact: true }).fill('<b>Month</b>')
  await page.getByRole('searchbox', { name: 'Test query' }).fill('wrench')
  const then = page.getByRole('region', { name: 'With changes' })
  await expect
    .poll(() => then.getByRole('listitem').first().innerText())
    .toMatch(/30 mm[\s\S]*from 3/)
  await everyWidth(page, 'rules')
  const saving = await holdSaving()
  await page.getByRole('button', { name: 'Save rules' }).click()
  await page.getByRole('link', { name: 'Ranking', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Test query' }).fill('combination')
  const now = page.getByRole('region', { name: 'Current' })
  await expect.poll(() => now.getByRole('listitem').allInnerTexts()).toEqual(places(1, 2, 3))
  await page.getByRole('button', { name: 'Add attribute' }).click()
  await page.getByLabel('Attribute name').fill('Sold')
  await page.getByLabel('Full boost at').fill('3')
  const moved = async () => (await then.getByRole('listitem').allInnerTexts()).map(onOneLine)
  await expect.poll(moved).toEqual([`${wrench(3)} ▲ from 3`, wrench(2), `${wrench(1)} ▼ from 1`])
  expect(await now.getByRole('listitem').allInnerTexts()).toEqual(places(1, 2, 3))
  // What is edited while the rules are being saved is kept, and saved next.
  await saving.finish()
  await page.getByRole('button', { name: 'Save ranking', exact: true }).waitFor()
  expect(await page.getByLabel('Attribute name').inputValue()).toBe('Sold')
  await expect.poll(moved).toEqual([`${wrench(3)} ▲ from 3`, wrench(2), `${wrench(1)} ▼ from 1`])
  const { body } = await editor('GET /api/Catalog/tools/search/rules')
  expect(body).toContainEqual(expect.objectContaining({ name: '<b>Month</b>' }))
  forgetRefused()
  await everyWidth(page, 'ranking')
  await page.getByRole('button', { name: 'Remove attribute Sold' }).click()
  await page.getByRole('link', { name: 'Facets', exact: true }).click()
  await page.getByLabel('Hidden', { exact: true }).fill('Finish')
  await expect.poll(() => then.getByText('Facets: Finish').count()).toBe(0)
  await page.getByRole('region', { name: 'Current' }).getByText('Facets: Finish').waitFor()
  await page.getByLabel('Hidden', { exact: true }).fill('')
  shop.problems.splice(0)
})

test('a preview that is refused says so, and is requested again', async () => {
  const headers = { 'retry-after': '1' }
  const refusals: ((route: Route) => Promise<void>)[] = [
    (route) => route.abort(),
    (route) => route.fulfill({ status: 429, headers, json: 'Too many.' }),
    (route) => route.fulfill({ status: 503, headers, json: 'Starting up.' }),
  ]
  const told = [
    /unreachable.+Trying again in \d+ second/,
    /Too many\. Trying again in 1 sec/,
    /Start/,
  ]
  let refuse: (route: Route) => Promise<void> = refusals[0]!
  await page.route('**/search/preview', (route) => refuse(route))
  await screen('Search tuning').click()
  await page.getByRole('searchbox', { name: 'Test query' }).fill('30 mm wrench')
  for (const [at, refusal] of refusals.entries()) {
    refuse = refusal
    await page.getByRole('alert').filter({ hasText: told[at]! }).waitFor()
  }
  await everyWidth(page, 'refused')
  refuse = (route) => route.continue()
  const first = page.getByRole('region', { name: 'Current' }).getByRole('listitem').first()
  await expect.poll(() => first.innerText()).toBe(wrench(3))
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.unroute('**/search/preview')
  const refused = /429|503|ERR_FAILED/
  expect(shop.problems.splice(0).filter((one) => !refused.test(one))).toEqual([])
})

test('neither of two managers overwrites the other unnoticed', async () => {
  const line = (part: string) => `PUT /api/Catalog/tools/search/${part}`
  await screen('Search tuning').click()
  const word = page.getByLabel('Equivalent words').last()
  await page.getByRole('button', { name: 'Add two-way synonym' }).click()
  await word.fill('gizmo, wrench')
  await expectOk(editor(line('ranking'), { body: { stopPhrases: ['looking for'] } }))
  // An independent change by somebody else is not a conflict.
  await page.getByRole('button', { name: 'Save synonyms' }).click()
  await expect
    .poll(async () => JSON.stringify((await editor('GET /api/Catalog/tools/search/settings')).body))
    .toMatch(/gizmo.*looking for/)
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Add two-way synonym' }).click()
  await word.fill('mine, wrench')
  const theirs = { groups: [{ words: ['theirs', 'wrench'] }] }
  await expectOk(editor(line('synonyms'), { body: theirs }))
  await page.getByRole('button', { name: 'Save synonyms' }).click()
  await page.getByRole('alert').filter({ hasText: 'has changed synonyms' }).waitFor()
  await everyWidth(page, 'met')
  const { body } = await editor('GET /api/Catalog/tools/search/synonyms')
  expect(body.groups).toMatchObject(theirs.groups)
  await page.getByRole('button', { name: 'Discard my changes' }).click()
  await expect.poll(() => word.inputValue()).toContain('theirs')
  forgetRefused()
  expect(shop.problems.splice(0)).toEqual(Array(2).fill(expect.stringContaining('412')))
})

/** Lets visitors search, more of whom choose a product where they see the facet. */
async function visitorsChoose() {
  const chosen = { control: [] as boolean[], variant: [] as boolean[] }
  for (const group of [0, 1]) {
    const requests = Array.from({ length: 20 }, (_, at) => ({
      ...{ keywords: 'wrench', visitor: `visitor ${group} ${at}`, analytics: true },
      facets: { lists: true },
    }))
    const { body } = await expectOk(
      viewer('POST /api/search/many?catalog=tools', { body: { requests } }),
    )
    for (const { answer } of body.results) {
      const facets: { name: string }[] = answer.metadata.lists.facets
      const mine = chosen[facets.some(({ name }) => name === 'Finish') ? 'control' : 'variant']
      const isChosen = (mine.length % 5 === 0) === (mine === chosen.variant)
      mine.push(isChosen)
      if (!isChosen) continue
      const choice = { searchId: answer.searchId, productId: answer.products[0].id, kind: 'click' }
      await expectOk(viewer('POST /api/search/choice', { body: choice }))
    }
  }
  const rate = (all: boolean[]) =>
    `${Math.round((1_000 * all.filter(Boolean).length) / all.length) / 10}%`
  return { control: rate(chosen.control), variant: rate(chosen.variant) }
}

test('a change is tested as an experiment, and adopted', async () => {
  await screen('Experiments').click()
  await page.getByText('No experiment is running.').waitFor()
  await screen('Search tuning').click()
  await page.getByRole('link', { name: 'Facets', exact: true }).click()
  await page.getByLabel('Hidden', { exact: true }).fill('Finish, Batch')
  await page.getByRole('button', { name: 'Start experiment' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Fewer facets')
  await form.getByLabel('Share of visitors').fill('50')
  await form.getByRole('button', { name: 'Start experiment' }).click()
  await page.getByText('50% of visitors search with the changed facets.').waitFor()
  const { control, variant } = await visitorsChoose()
  const clicks = page.getByRole('row', { name: /^Click-through rate/ })
  await expect
    .poll(async () => {
      await page.reload()
      return onOneLine(await clicks.innerText())
    })
    .toMatch(`Click-through rate ${control} ${variant} `)
  expect(await clicks.getByRole('cell').last().innerText()).toBe('Worse')
  await page.getByRole('row', { name: /^Average click position 1 1 / }).waitFor()
  await everyWidth(page, 'experiments')
  await page.getByRole('button', { name: 'Apply to all visitors' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply to all visitors' }).click()
  await page.getByText('No experiment is running.').waitFor()
  const { body } = await editor('GET /api/Catalog/tools/search/facets')
  expect(body.hidden).toEqual(['Finish', 'Batch'])
})

test('a user is added and an import installed with its own form', async () => {
  await screen('Users').click()
  await page.getByLabel('Username or email').fill('grace@acme.example')
  await page.getByRole('button', { name: 'Add user' }).click()
  await page.getByLabel('Role of grace@acme.example').selectOption('editor')
  await everyWidth(page, 'users')
  await page.getByRole('button', { name: 'Remove grace@acme.example' }).click()
  await page.getByRole('button', { name: 'Remove user' }).click()
  await page.getByRole('row', { name: /grace/ }).waitFor({ state: 'detached' })

  await screen('Extensions').click()
  await page.getByRole('button', { name: 'Install File' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Display name').fill('Prices')
  await form.getByLabel('Catalog').selectOption('tools')
  await form.getByLabel('Schedule').fill('every night')
  await form.getByRole('button', { name: 'Validate' }).click()
  await form.getByRole('alert').first().waitFor()
  await everyWidth(page, 'install')
  await form.getByLabel('Schedule').fill('30 2 * * *')
  const vendor = await startCanary((_request, response) => response.end('id,name\nP-8,Pliers\n'))
  onTestFinished(() => vendor.close())
  await form.getByLabel('File URL').fill(`http://127.0.0.1:${vendor.port}/prices.csv`)
  await form.getByRole('button', { name: 'Install' }).click()
  const row = page.getByRole('row', { name: /^Prices/ })
  await row.getByRole('button', { name: 'Edit Prices' }).click()
  expect(await form.getByLabel('File URL').inputValue()).toContain('prices.csv')
  await form.getByLabel('Schedule').fill('45 3 * * *')
  await form.getByRole('button', { name: 'Save' }).click()
  await row.getByText('45 3 * * *').waitFor()
  await row.getByRole('button', { name: 'History of Prices' }).click()
  await page.getByText('Has not run yet.').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await row.getByRole('button', { name: 'Run now: Prices' }).click()
  await row.getByText('Started. See Tasks for progress.').waitFor()
  await expect
    .poll(async () => (await administrator('GET /api/tasks')).body.items[0].status)
    .toBe('completed')
  await row.getByRole('button', { name: 'History of Prices' }).click()
  const runs = page.getByRole('dialog').getByRole('listitem')
  await runs.getByText('run by administrator').waitFor()
  await runs.getByText(/^1 product · /).waitFor()
  await everyWidth(page, 'history')
  await page.getByRole('button', { name: 'Close' }).click()
  await row.getByRole('switch', { name: 'Prices is enabled' }).uncheck()
  await everyWidth(page, 'extensions')
  await row.getByRole('button', { name: 'Uninstall Prices' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Uninstall' }).click()
  await row.waitFor({ state: 'detached' })
})

test('the audit log shows who changed what', async () => {
  const user = 'PUT /api/organizations/current/users/hedy'
  for (const role of ['viewer', 'editor']) await expectOk(administrator(user, { body: { role } }))
  await screen('Audit log').click()
  await page.getByLabel('Type').selectOption('Users')
  await page.getByRole('button', { name: 'Apply' }).click()
  const changed = page.getByRole('row', { name: /Save User to Organization.*hedy/ }).first()
  await changed.getByText('role: viewer editor').waitFor()
  await everyWidth(page, 'audit')
  await page.getByLabel('User', { exact: true }).fill('nobody')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('No matching entries.').waitFor()
  await page.getByLabel('User', { exact: true }).fill('administrator')
  await page.getByRole('button', { name: 'Apply' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export page as CSV' }).click()
  expect((await saving).suggestedFilename()).toBe('audit.csv')
})

test('usage is shown, and a callback is sent again', async () => {
  await screen('Usage').click()
  await page.getByRole('row', { name: /^viewer full/ }).waitFor()
  await everyWidth(page, 'usage')
  await screen('Callbacks').click()
  await page.getByText('No callbacks in the last 30 days.').waitFor()
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const told = { targetCatalog: 'tools', callbackUrl: receiver.url('/<b>told</b>') }
  await startImport(editor, 'id,name\nP-9,Hex key\n', told)
  const known = async () => (await callbacksOf(administrator))[0]?.status
  await expect.poll(known).toBe('delivered')
  await page.reload()
  const row = page.getByRole('row', { name: /told/ })
  await row.getByText('Delivered').waitFor()
  await everyWidth(page, 'callbacks')
  await row.getByRole('button', { name: /^Resend/ }).click()
  await row.getByText('Queued for delivery.').waitFor()
  await expect.poll(() => receiver.received().length).toBe(2)
  await page.getByRole('button', { name: 'Rotate signing secret' }).click()
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  expect(await page.getByRole('dialog').locator('code').innerText()).toMatch(/^whsec_/)
})
