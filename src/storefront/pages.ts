import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { DemoAccess } from '../demo/load.ts'
import type { StaticPage } from '../http/static-pages.ts'

/** What `npm run storefront:build` makes of the folder storefront. */
const BUILT = join(import.meta.dirname, 'built')

const PAGES = { '/': 'index.html', '/console': 'console.html' } as const

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

export interface StorefrontOptions {
  readonly publicUrl: string
  /** Undefined before the demo is loaded, and where there is none. */
  demo(): DemoAccess | undefined
}

/** Scripts and styles of this service alone; pictures also from where a catalog has them. */
const policy = (publicUrl: string): string =>
  [
    "default-src 'self'",
    `img-src 'self' data: https: ${new URL(publicUrl).origin}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The storefront and the console by path, their files below `/shop`, and what they know of this service. */
export function storefrontPages({
  publicUrl,
  demo,
}: StorefrontOptions): ReadonlyMap<string, StaticPage> {
  const pages = new Map<string, StaticPage>()
  for (const [path, file] of Object.entries(PAGES)) {
    pages.set(path, {
      type: 'text/html; charset=utf-8',
      load: () => readFile(join(BUILT, file)),
      headers: { 'content-security-policy': policy(publicUrl), 'referrer-policy': 'same-origin' },
    })
  }
  for (const name of readdirSync(join(BUILT, 'shop'))) {
    pages.set(`/shop/${name}`, {
      type: TYPES[extname(name)] ?? 'application/octet-stream',
      load: () => readFile(join(BUILT, 'shop', name)),
    })
  }
  pages.set('/shop/settings.json', {
    type: 'application/json',
    load: async () => JSON.stringify({ publicUrl, demo: demo() ?? null }),
    changes: true,
  })
  return pages
}
