import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { loadDemo } from '../../src/demo/load.ts'
import { type Standalone, startStandalone } from './standalone.ts'

/** Starts a service whose storefront shows the demo. */
export async function startShop(name: string): Promise<Standalone> {
  const service = await startStandalone(name)
  const keyFile = join(await mkdtemp(join(tmpdir(), `aisle-${name}-`)), 'demo-key')
  const said: string[] = []
  const demo = await loadDemo(service.services, { say: (line) => said.push(line), keyFile })
  if (!demo) throw new Error(said.join('\n'))
  service.showDemo(demo)
  return service
}

export interface ShopPage {
  readonly page: Page
  /** Bodies of the searches so far. */
  readonly searches: readonly Record<string, unknown>[]
  /** Errors in the page, and its requests to other hosts. */
  readonly problems: string[]
}

/** Opens a page of the storefront as a new visitor with a separate browser context. */
export async function visit(
  browser: Browser,
  { address }: Pick<Standalone, 'address'>,
  path = '/',
  options: BrowserContextOptions = {},
): Promise<ShopPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const searches: Record<string, unknown>[] = []
  const problems: string[] = []
  const keys = new Set<string>()
  page.on('request', (request) => {
    const { protocol, origin, pathname } = new URL(request.url())
    if (protocol !== 'data:' && origin !== address) problems.push(request.url())
    const [, key] = request.headers().authorization?.split(' ') ?? []
    if (key) keys.add(key)
    if ([...keys].some((one) => request.url().includes(one))) problems.push('a key in an address')
    if (pathname === '/api/search') searches.push(request.postDataJSON())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('dialog', (dialog) => {
    problems.push(dialog.message())
    void dialog.dismiss()
  })
  await page.goto(address + path)
  return { page, searches, problems }
}

const PHONE = 360

/** By how many pixels the page is wider than a phone. */
export async function beyondPhone(page: Page): Promise<number> {
  const before = page.viewportSize()!
  await page.setViewportSize({ ...before, width: PHONE })
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
  await page.setViewportSize(before)
  return Math.max(wide, PHONE) - PHONE
}

/** Violations that axe reports as barriers to using the page. */
export async function barriers(page: Page): Promise<string[]> {
  // Loaded once per document: loading it again costs as much as running it.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(
    ({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`)
}
