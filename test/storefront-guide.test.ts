import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workerBrowser } from './support/browser.ts'
import { seedCatalog } from './support/catalog.ts'
import { expectOk, newOrganization, type TestOrganization } from './support/client.ts'
import { keepImage, png } from './support/pictures.ts'
import { type Standalone, startStandalone } from './support/standalone.ts'

const guide = readFileSync('docs/storefront.md', 'utf8')
const blocksOf = (kind: string): string[] =>
  [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, is, block]) =>
    is === kind ? [block!] : [],
  )

/** A picture that is not stored by the service. */
const ELSEWHERE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

let service: Standalone
let organization: TestOrganization
let browser: Browser
beforeAll(async () => {
  service = await startStandalone('guide', { shared: true })
  organization = await newOrganization(service)
  const vendors = [{ vendorName: 'Oakvale Supply', cost: 41, inStock: true }]
  const { url: image } = await keepImage(service.services, await png())
  const products = [
    { id: 'a', name: 'Cordless drill', msrp: 89.5, facets: { Voltage: '18 V' }, vendors, image },
    {
      ...{ id: 'b', name: 'Cordless <b>saw</b>', msrp: 120, facets: { Voltage: '12 V' } },
      image: ELSEWHERE,
    },
    { id: 'c', name: 'Wrench', vendors: [{ vendorName: 'Oakvale Supply' }] },
  ]
  await seedCatalog(service, organization, products, 'tools')
  browser = await workerBrowser()
})

afterAll(() => service?.stop())

/** Creates the guide's key by the request in the guide. */
async function keyOfGuide(): Promise<string> {
  const [, body] = / -d '(.*?)'$/ms.exec(blocksOf('sh')[0]!)!
  const made = organization.call('POST /api/KeyAuth/keys', { body: JSON.parse(body!) })
  return (await expectOk(made)).body.key
}

test('docs/storefront.md builds a page that searches, filters, shows prices and suggests', async () => {
  const key = await keyOfGuide()
  const script = blocksOf('js')
    .join('\n')
    .replace(/^const AISLE = .*$/m, `const AISLE = '${service.address}'`)
    .replace(/^const KEY = .*$/m, `const KEY = '${key}'`)
  const page = await browser.newPage()
  page.setDefaultTimeout(30_000)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  const serve = (path: string, contentType: string, body: string) =>
    page.route(`${service.address}${path}`, (route) => route.fulfill({ contentType, body }))
  await serve('/shop/', 'text/html', blocksOf('html')[0]!)
  await serve('/shop/shop.js', 'text/javascript', script)
  const answered = page.waitForResponse((response) => response.url().includes('/api/search?'))
  await page.goto(`${service.address}/shop/`)

  const tiles = page.locator('#products li')
  await page.getByText('3 products').waitFor()
  expect(await tiles.allInnerTexts()).toEqual([
    'Cordless <b>saw</b> €120.00 Sold out',
    'Cordless drill €89.50 In stock',
    'Wrench Price on request Sold out',
  ])
  const pictures = await page.evaluate<string[]>(
    `[...document.querySelectorAll('#products img')].map(({ src }) => src)`,
  )
  expect(pictures).toEqual([ELSEWHERE, expect.stringMatching(/\/api\/images\/.*\?width=480$/)])
  expect((await answered).headers()['cache-control']).toBe(
    'public, max-age=60, stale-while-revalidate=600',
  )
  expect(await page.locator('#shelf li').count()).toBe(3)

  await page.getByRole('button', { name: '18 V (1)' }).click()
  await page.getByText('1 products').waitFor()
  expect(await tiles.allInnerTexts()).toEqual(['Cordless drill €89.50 In stock'])
  await page.getByRole('button', { name: '12 V (1)', pressed: false }).click()
  await page.getByText('2 products').waitFor()

  await page.getByLabel('Search').fill('cordl')
  await page.locator('#suggestions option[value="cordless drill"]').waitFor({ state: 'attached' })
  expect(problems).toEqual([])
  await page.context().close()
})
