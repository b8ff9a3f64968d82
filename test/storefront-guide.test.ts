import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { refreshIndex } from '../src/elastic/refresh.ts'
import { workerBrowser } from './support/browser.ts'
import { seedCatalog } from './support/catalog.ts'
import { expectOk, newOrganization, type TestOrganization } from './support/client.ts'
import { keepImage, png } from './support/pictures.ts'
import { type Standalone, startStandalone } from './support/standalone.ts'

const guide = readFileSync('docs/storefront.md', 'utf8')
/** `call` and `$json`, as the README defines them. */
const shell = /^call\(\) .*?^json=.*?$/ms.exec(readFileSync('README.md', 'utf8'))![0]
/** `signedKey` of docs/interface.md. */
const signing = /^```js\n(.*?signedKey.*?)^```$/ms.exec(
  readFileSync('docs/interface.md', 'utf8'),
)![1]!
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

test('docs/storefront.md gives dealers their prices, by a key or by one that a server signs', async () => {
  const product = { id: 'D-100', name: 'Drill press' }
  await expectOk(organization.call('POST /api/Catalog/tools/products', { body: product }))
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-ec', [shell, ...blocksOf('sh').slice(1)].join('\n')],
    {
      env: { ...process.env, AISLE: service.address, KEY: await organization.key('administrator') },
    },
  )
  const [, written, dealers, server] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(written).toMatchObject({ rejected: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'aisle-guide-'))
  await writeFile(join(folder, 'signed-key.mjs'), signing)
  await writeFile(join(folder, 'server.mjs'), blocksOf('mjs')[0]!)
  const { keyFor } = await import(join(folder, 'server.mjs'))
  await refreshIndex(service.services.elastic, 'products')

  const search = async (key: string) => {
    const query = new URLSearchParams({ key, keywords: 'drill', fields: 'name,price,prices' })
    const answer = await fetch(`${service.address}/api/search?${query}`)
    return { status: answer.status, ...((await answer.json()) as object) }
  }
  const seen = {
    products: [
      // Not in the list, and its own price is hidden.
      { name: 'Cordless drill', price: null, prices: [] },
      {
        ...{ name: 'Drill press', price: 79.9 },
        prices: [
          expect.objectContaining({ price: 79.9 }),
          expect.objectContaining({ price: 72.5, quantityFrom: 10 }),
        ],
      },
    ],
  }
  expect(await search(dealers.key)).toMatchObject(seen)
  vi.stubEnv('SERVER_KEY', JSON.stringify(server))
  expect(await search(keyFor('visitor-1', 'dealers'))).toMatchObject(seen)
  // Another list, and the key of the page, which hides costs.
  expect(await search(keyFor('visitor-1', 'staff'))).toMatchObject({ status: 403 })
  const page = await expectOk(
    organization.call('POST /api/KeyAuth/keys', {
      body: { name: 'page', keyType: 'search', catalogs: ['tools'], hide: ['public'] },
    }),
  )
  vi.stubEnv('SERVER_KEY', JSON.stringify(page.body))
  expect(await search(keyFor('visitor-1', 'dealers'))).toMatchObject({ status: 403 })
  vi.unstubAllEnvs()
})
