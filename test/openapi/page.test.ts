import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workerBrowser } from '../support/browser.ts'
import { seedCatalog } from '../support/catalog.ts'
import { newOrganization } from '../support/client.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

let service: Standalone
/** Shared by all tests, since laying out all operations takes a busy machine long. */
let page: Page
let key: string

beforeAll(async () => {
  service = await startStandalone('docs', { shared: true })
  const organization = await newOrganization(service)
  const vendors = [{ vendorName: 'Oakvale Supply', cost: 89.5, inStock: true }]
  const products = [{ id: 'D-100', name: 'Forge 18 V cordless drill', vendors }]
  await seedCatalog(service, organization, products, 'demo')
  key = await organization.key('viewer', 'search')
  page = await (await workerBrowser()).newPage({ viewport: { width: 1280, height: 1400 } })
})

afterAll(async () => {
  await page?.close()
  await service?.stop()
})

describe('/docs', () => {
  test('searches with a search key, and requests nothing from other hosts', async () => {
    page.setDefaultTimeout(30_000)
    const elsewhere: string[] = []
    const problems: string[] = []
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== 'data:' && origin !== service.address) elsewhere.push(request.url())
    })
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))

    await page.goto(`${service.address}/docs`)
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByLabel('auth-bearer-value').fill(key)
    await page.getByRole('button', { name: 'Apply credentials' }).first().click()
    await page.getByRole('button', { name: 'Close', exact: true }).first().click()

    const search = page.locator('#operations-Search-search')
    await search.getByRole('button').first().click()
    await search.getByRole('button', { name: 'Execute' }).click()
    const answer = search.locator('.live-responses-table')
    await answer.getByText('D-100').first().waitFor()
    expect(await answer.locator('.response-col_status').last().innerText()).toContain('200')

    expect(problems).toEqual([])
    expect(elsewhere).toEqual([])
  })

  test('shows the other revision, too', async () => {
    await page.locator('#select').selectOption({ label: '1.0' })
    await page.locator('#operations-Products-updateProductPOST').waitFor()
  })
})
