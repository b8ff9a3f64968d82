import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { workerBrowser } from './browser.ts'
import { type Sketch, seedCatalog } from './catalog.ts'
import { newOrganization } from './client.ts'
import { barriers, visit } from './shop.ts'
import { startStandalone } from './standalone.ts'

/** Starts a service with these products and signs an administrator in to its console. */
export async function startConsole(name: string, catalog: string, products: readonly Sketch[]) {
  // Receivers of callbacks run on this machine.
  const outbound = createOutbound({ allow: '127.0.0.1' })
  const service = await startStandalone(name, { shared: true, outbound })
  const organization = await newOrganization(service)
  await seedCatalog(service, organization, products, catalog)
  const browser = await workerBrowser()
  const shop = await visit(browser, service, '/console')
  await signInto(shop.page, await organization.key('administrator'))
  const stop = async () => {
    await shop.page.context().close()
    await service.stop()
  }
  return { organization, shop, stop }
}

/** Signs in to the console and waits for its menu. */
async function signInto(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main', exact: true }).waitFor()
}

const SIZES = [
  { width: 360, height: 740, colorScheme: 'dark' },
  { width: 900, height: 800, colorScheme: 'light' },
  { width: 1600, height: 1000, colorScheme: 'light' },
] as const

/**
 * Asserts that the page has no accessibility barriers and does not overflow at any width. Saves
 * screenshots to the folder SCREENSHOTS if it is set.
 */
export async function everyWidth(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  for (const { width, height, colorScheme } of SIZES) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
    // The width between has the parts of the other two.
    const kept = width === 900 ? [] : await barriers(page)
    const found = { barriers: kept, wide: Math.max(wide, width) - width }
    expect(found, `${name} at ${width} px`).toEqual({ barriers: [], wide: 0 })
    if (folder) {
      const path = join(folder, `${name}-${width}.png`.replaceAll(' ', '-'))
      await page.screenshot({ path, fullPage: true })
    }
  }
}
