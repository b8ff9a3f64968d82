import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { workerBrowser } from '../support/browser.ts'
import { caller, expectOk, OPERATOR_KEY } from '../support/client.ts'
import { barriers, beyondPhone, type ShopPage, startShop, visit } from '../support/shop.ts'
import type { Standalone } from '../support/standalone.ts'

let service: Standalone
let browser: Browser
const opened: ShopPage[] = []

beforeAll(async () => {
  service = await startShop('shop')
  browser = await workerBrowser()
})

afterAll(() => service?.stop())

/** Fails a test if its page reported errors or called other hosts. */
afterEach(async () => {
  const problems = opened.flatMap((shop) => shop.problems)
  await Promise.all(opened.splice(0).map(({ page }) => page.context().close()))
  expect(problems).toEqual([])
})

const open = async (path?: string, options?: Parameters<typeof visit>[3]): Promise<ShopPage> => {
  const shop = await visit(browser, service, path, options)
  opened.push(shop)
  return shop
}

const box = (page: Page) => page.getByRole('combobox', { name: 'Search products' })
const grid = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem')
const total = (page: Page) => page.getByRole('status').filter({ hasText: /^[\d,]+ products?$/ })
const filters = (page: Page) => page.getByRole('complementary', { name: 'Filters' })
const totalOf = async (page: Page): Promise<number> =>
  Number((await total(page).innerText()).replace(/\D/g, ''))
const scrollOf = (page: Page) => page.evaluate<number>('scrollY')
const query = (page: Page) => new URL(page.url()).searchParams

describe('searching', () => {
  test('shows results at each keystroke, with one search for each, and suggestions', async () => {
    const { page, searches } = await open()
    await page.getByRole('heading', { name: 'Power Transmission' }).waitFor()
    const before = searches.length
    await box(page).pressSequentially('cordl')
    await page.getByRole('option', { name: 'cordless drill driver', exact: true }).waitFor()
    await grid(page).filter({ hasText: 'cordless' }).first().waitFor()
    const typed = () => searches.slice(before).map(({ keywords }) => keywords)
    await expect.poll(typed).toEqual(['c', 'co', 'cor', 'cord', 'cordl'])
    expect(searches.at(-1)).toMatchObject({ typing: true })
    await expect.poll(() => query(page).get('q')).toBe('cordl')
  })

  test('selects a suggestion by keyboard, and returns to the home page', async () => {
    const { page, searches } = await open()
    const pictures = page.locator('.aisle img')
    await expect.poll(() => pictures.count()).toBe(6)
    const looked: (string | null)[] = []
    page.on('request', (request) => looked.push(new URL(request.url()).searchParams.get('search')))
    // Suggestions for fewer letters come and go before.
    const suggested = page.waitForResponse(/quicksearch\?.*search=cordl(&|$)/)
    await box(page).pressSequentially('cordl')
    await suggested
    const suggestion = page.getByRole('option', { name: 'cordless drill driver', exact: true })
    await suggestion.waitFor()
    await box(page).press('ArrowDown')
    expect(await box(page).getAttribute('aria-activedescendant')).toBe('query-0')
    const chosen = page.locator('[role=option][aria-selected=true]')
    const words = await chosen.locator('.suggestion-text').innerText()
    await box(page).press('Enter')
    await page.getByRole('heading', { name: `“${words}”` }).waitFor()
    await expect.poll(() => query(page).get('q')).toBe(words)
    await expect.poll(() => searches.at(-1)).toMatchObject({ keywords: words })
    expect(searches.at(-1)).not.toHaveProperty('typing')
    await page.goBack()
    await page.getByRole('heading', { name: 'Find the right part' }).waitFor()
    await expect.poll(() => pictures.count()).toBe(6)
    expect(looked).not.toContain('Cables')
    await box(page).click()
    await page.getByRole('group', { name: 'Recent searches' }).getByText(words).waitFor()
  })

  test('requests suggestions for a text after its hits are shown', async () => {
    const { page } = await open()
    await page.getByRole('heading', { name: 'Power Transmission' }).waitFor()
    const order: string[] = []
    await page.route('**/api/search?*', async (route) => {
      const response = await route.fetch()
      order.push('hits')
      await route.fulfill({ response })
    })
    page.on('request', (request) => {
      if (new URL(request.url()).searchParams.get('search') === 'glove') order.push('suggestions')
    })
    await box(page).fill('glove')
    await page.getByRole('option', { name: /glove/i }).first().waitFor()
    expect(order).toEqual(['hits', 'suggestions'])
    const category = page.getByRole('group', { name: 'Categories' }).getByRole('option').first()
    const [name, products] = (await category.innerText()).split('\n')
    await category.click()
    await page.getByRole('heading', { name: name! }).waitFor()
    await expect.poll(() => totalOf(page)).toBe(Number(products))
    expect(query(page).get('category')).toMatch(new RegExp(`(^| > )${name}$`))
  })

  test('shows which spelling was searched and which words were dropped', async () => {
    const { page } = await open('/?q=cordles+drill+xyzzy')
    await page.getByText('Showing results for').waitFor()
    await page.getByText('cordless drill xyzzy', { exact: true }).waitFor()
    await page.getByText('No matches for “xyzzy”, so we left it out.').waitFor()
  })

  test('shows that there are no results, and what to do', async () => {
    const { page } = await open('/?q=drill&f.Glove+size=9+%28L%29')
    await page.getByRole('heading', { name: 'No products match your filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear all filters' }).click()
    await expect.poll(() => totalOf(page)).toBeGreaterThan(100)
    await box(page).fill('qqzzyyxx')
    await page.getByText('We couldn’t find anything for “qqzzyyxx”').waitFor()
  })

  test('shows a placeholder if a picture does not load', async () => {
    const { page, problems } = await open()
    await page.getByRole('heading', { name: 'Power Transmission' }).waitFor()
    await page.route('**/api/images/**', (route) => route.abort())
    await box(page).fill('glove')
    const first = grid(page).filter({ hasText: 'glove' }).first()
    await first.locator('.picture svg').waitFor()
    expect(await first.locator('img').count()).toBe(0)
    expect(problems.splice(0).every((one) => one.includes('ERR_FAILED'))).toBe(true)
  })

  test('requests pictures at their displayed width', async () => {
    const { page } = await open('/?q=glove')
    const widthOf = (selector: string) =>
      page.evaluate<string | undefined>(
        `/width=\\d+/.exec(document.querySelector('${selector}')?.currentSrc)?.[0]`,
      )
    await expect.poll(() => widthOf('.card img')).toBe('width=480')
    await grid(page).first().getByRole('link').click()
    await expect.poll(() => widthOf('.gallery > .picture img')).toBe('width=960')
  })

  test('shows a failure, and retries', async () => {
    const { page, problems } = await open('/?q=drill')
    await grid(page).first().waitFor()
    await page.route('**/api/search?*', (route) =>
      route.fulfill({ status: 503, json: { success: false, message: 'Elasticsearch is away.' } }),
    )
    await box(page).fill('glove')
    await page.getByRole('alert').filter({ hasText: 'Elasticsearch is away.' }).waitFor()
    expect(await beyondPhone(page)).toBe(0)
    expect(await box(page).inputValue()).toBe('glove')
    await page.unroute('**/api/search?*')
    await box(page).press('Escape')
    await page.getByRole('button', { name: 'Try again' }).click()
    await grid(page).filter({ hasText: 'glove' }).first().waitFor()
    // The client retried twice by itself.
    expect(problems.splice(0)).toEqual(Array(3).fill(expect.stringContaining('503')))
  })
})

test('the sign-in page asks for a key, and is accessible in light mode', async () => {
  const { page } = await open('/', { colorScheme: 'light' })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Sign in with an API key' }).waitFor()
  expect(await barriers(page)).toEqual([])
})

describe('filtering', () => {
  test('keeps the other choices with their counts, with one search per selection', async () => {
    const { page, searches } = await open('/?q=drill')
    const brand = (name: string) => filters(page).getByRole('checkbox', { name })
    const countOf = async (name: string) =>
      Number((await brand(name).locator('xpath=..').innerText()).replace(/\D/g, ''))
    await brand('Brennick').waitFor()
    const [brennick, drakesmoor] = [await countOf('Brennick'), await countOf('Drakesmoor')]
    const before = searches.length
    await brand('Brennick').check()
    await expect.poll(() => totalOf(page)).toBe(brennick)
    expect(await countOf('Drakesmoor')).toBe(drakesmoor)
    await brand('Drakesmoor').check()
    await expect.poll(() => totalOf(page)).toBe(brennick + drakesmoor)
    expect(searches.length - before).toBe(2)
    expect(query(page).getAll('brand')).toEqual(['Brennick', 'Drakesmoor'])

    await page.reload()
    await expect.poll(() => totalOf(page)).toBe(brennick + drakesmoor)
    await page.goBack()
    await expect.poll(() => totalOf(page)).toBe(brennick)
    expect(await brand('Drakesmoor').isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Remove filter Brand: Brennick' }).click()
    await expect.poll(() => query(page).has('brand')).toBe(false)
  })

  test('finds facet values, opens categories, filters by stock and sorts', async () => {
    const { page } = await open('/?category=Tools+%26+Hardware')
    await filters(page).getByRole('link', { name: 'Fasteners' }).click()
    await filters(page).getByRole('link', { name: 'Metric Hex Bolts' }).click()
    await expect.poll(() => totalOf(page)).toBe(485)
    expect(query(page).get('category')).toBe('Tools & Hardware > Fasteners > Metric Hex Bolts')
    await filters(page).getByRole('switch').check()
    await expect.poll(() => totalOf(page)).toBeLessThan(485)
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Price: high to low')
    await expect.poll(() => query(page).get('sort')).toBe('-price')
    const dear = page.locator('.card .price')
    const amounts = async () =>
      (await dear.allInnerTexts()).map((text) => Number(text.replace(/[^\d.]/g, '')))
    await expect.poll(async () => (await amounts())[0]! >= (await amounts())[9]!).toBe(true)

    await page.getByRole('button', { name: 'Clear all' }).click()
    await expect.poll(() => totalOf(page)).toBe(5000)
    await filters(page).getByRole('searchbox', { name: 'Search Brand' }).fill('tmere')
    await filters(page).getByRole('checkbox', { name: 'Boltmere' }).check()
    await expect.poll(() => query(page).get('brand')).toBe('Boltmere')
    await expect.poll(() => totalOf(page)).toBeLessThan(1000)
  })

  test('ends with new words, except for the stock filter', async () => {
    const { page, searches } = await open('/?q=drill&brand=Brennick&price=80:60&stock=1')
    await grid(page).first().waitFor()
    expect(searches.at(-1)).toMatchObject({ lowPrice: 60, highPrice: 80 })
    await box(page).press('Enter')
    await expect.poll(() => searches.at(-1)).toMatchObject({ manufacturer: ['Brennick'] })
    await box(page).fill('glove')
    await box(page).press('Enter')
    await grid(page).filter({ hasText: 'glove' }).first().waitFor()
    expect(searches.at(-1)).toMatchObject({ keywords: 'glove', inStock: true })
    await expect.poll(() => [...query(page).keys()]).toEqual(['q', 'stock'])
  })

  test('by a number of the products, with the keys on its slider', async () => {
    const { page, searches } = await open('/?q=drill')
    const weight = filters(page).getByRole('group').filter({ hasText: 'Weight (kg)' })
    await weight.getByText('Weight (kg)').click()
    const all = await totalOf(page)
    await weight.getByRole('slider', { name: 'Weight (kg), minimum' }).press('ArrowRight')
    await expect.poll(() => query(page).get('n.Weight (kg)')).toMatch(/^[\d.]+:$/)
    await expect.poll(() => totalOf(page)).toBeLessThan(all)
    const least = query(page).get('n.Weight (kg)')!.slice(0, -1)
    expect(await weight.getByRole('spinbutton').first().inputValue()).toBe(least)
    expect(searches.at(-1)).toMatchObject({
      filters: [{ name: 'Weight (kg)', min: Number(least) }],
    })
  })

  test('works by entered price or histogram, page by page', async () => {
    const { page } = await open('/?q=drill')
    await filters(page).getByRole('spinbutton', { name: 'Price, minimum' }).fill('60')
    await filters(page).getByRole('spinbutton', { name: 'Price, maximum' }).fill('80')
    await filters(page).getByRole('spinbutton', { name: 'Price, maximum' }).press('Enter')
    await expect.poll(() => query(page).get('price')).toBe('60:80')
    await expect.poll(() => totalOf(page)).toBeLessThan(187)
    const narrow = await totalOf(page)
    const upper = filters(page).getByRole('slider', { name: 'Price, maximum' })
    await upper.focus()
    await upper.press('End')
    await expect.poll(() => query(page).get('price')).toBe('60:')
    await expect.poll(() => totalOf(page)).toBeGreaterThan(narrow)
    const first = await grid(page).first().innerText()
    await page.getByRole('link', { name: 'Next page' }).click()
    await expect.poll(() => query(page).get('p')).toBe('2')
    await expect.poll(() => grid(page).first().innerText()).not.toBe(first)
    await page.goBack()
    await expect.poll(() => grid(page).first().innerText()).toBe(first)
  })
})

describe('a product', () => {
  test('shows its offers, and going back shows the results as before', async () => {
    const { page } = await open('/?q=hex+bolt')
    const hit = grid(page).nth(9).getByRole('link')
    const name = await hit.innerText()
    await hit.scrollIntoViewIfNeeded()
    const scrolled = await scrollOf(page)
    await hit.click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByRole('table').getByRole('row').nth(1).waitFor()
    await page.getByRole('heading', { name: 'Specifications' }).waitFor()
    await page.goBack()
    await grid(page).nth(9).getByRole('link').waitFor()
    await expect.poll(() => scrollOf(page)).toBe(scrolled)
    await page.goForward()
    await page.reload()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Fasteners').click()
    await expect.poll(() => totalOf(page)).toBe(660)
  })

  test('shows markup and scripts in any of its fields as text', async () => {
    const evil = '<img src=x onerror=alert(1)>"\'><script>alert(2)</script>'
    const admin = caller(service, { key: OPERATOR_KEY, organization: 'demo' })
    const product = {
      id: 'evil "><img src=x onerror=alert(3)>',
      name: `Zorblax ${evil}`,
      description: evil,
      manufacturer: evil,
      manufacturerPartNumber: evil,
      ...{ segment: evil, category: evil, subCategory: evil, upcs: [evil], unspsc: evil },
      ...{ groupId: evil, options: { [evil]: evil }, filters: { [evil]: 1 } },
      image: 'javascript:alert(4)',
      facets: { [evil]: evil },
      attributes: { [evil]: evil },
      links: [{ type: 'x', value: 'javascript:alert(5)' }],
      vendors: [{ vendorName: evil, vendorPartNumber: evil, cost: 1, status: evil }],
    }
    await expectOk(admin('POST /api/Catalog/demo/products', { body: product }))
    const asked = 'GET /api/search/quicksearch?catalog=demo&search=zorblax&include=products'
    await expect.poll(async () => (await admin(asked)).body.suggestions.products.length).toBe(1)
    const { page } = await open()
    await box(page).fill('zorblax')
    await page.getByRole('option').filter({ hasText: 'Zorblax' }).first().waitFor()
    await box(page).press('Enter')
    await filters(page).getByRole('checkbox', { name: evil }).first().waitFor()
    await grid(page)
      .getByRole('link', { name: `Zorblax ${evil}` })
      .click()
    await page.getByRole('heading', { level: 1, name: `Zorblax ${evil}` }).waitFor()
    await page.getByRole('table').getByText(evil).first().waitFor()
    const made = page.locator('main script, main img[src="x"]')
    expect(await made.count()).toBe(0)
    await page.getByRole('link', { name: 'Aisle home' }).click()
    await page.getByRole('heading', { name: evil }).waitFor()
    expect(await made.count()).toBe(0)
  })

  test('that fails to load is loaded again', async () => {
    const { page, problems } = await open('/?q=hex+bolt')
    const name = await grid(page).first().getByRole('link').innerText()
    const address = await grid(page).first().getByRole('link').getAttribute('href')
    const line = '**/products/*'
    await page.route(line, (route) =>
      route.fulfill({ status: 500, json: { success: false, message: 'Not today.' } }),
    )
    await page.goto(new URL(address!, page.url()).href)
    await page.getByRole('heading', { name: 'We couldn’t load this product' }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'Not today.' }).waitFor()
    await page.unroute(line)
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await page.getByRole('heading', { level: 1, name }).waitFor()
    expect(problems.splice(0)).toEqual([expect.stringContaining('500')])
  })

  test('that does not exist is reported', async () => {
    const { page, problems } = await open('/?product=nothing')
    await page.getByRole('heading', { name: 'Product not found' }).waitFor()
    expect(problems.splice(0)).toEqual([expect.stringContaining('404')])
  })
})
