import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { DemoAccess } from '../demo/load.ts'
import type { StaticPage } from '../http/static-pages.ts'
import type { SignIn } from '../sign-in/sign-in.ts'

/** The output of `npm run storefront:build`. */
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
  /** Undefined before the demo is loaded, and without a demo. */
  demo(): DemoAccess | undefined
  /** How people sign in at the console. */
  readonly signIn?: SignIn | undefined
}

/**
 * Allows scripts and styles of this service alone, pictures from any HTTPS address as well, and
 * requests to `called`.
 */
const policy = (publicUrl: string, called: readonly string[] = []): string =>
  [
    "default-src 'self'",
    ...(called.length > 0 ? [`connect-src 'self' ${called.join(' ')}`] : []),
    `img-src 'self' data: https: ${new URL(publicUrl).origin}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Where the console gets tokens. An issuer that has never answered is asked at its own address. */
const tokenOrigins = ({ issuers }: SignIn): string[] =>
  issuers.map((one) => new URL(one.knownEndpoints()?.token ?? one.name).origin)

/** What the console needs to know about the issuers. One that does not answer has no endpoints. */
async function offered({ issuers, settings }: SignIn) {
  const endpoints = issuers.map((one) => one.endpoints().catch(() => null))
  const found = await Promise.all(endpoints)
  const { client, audiences } = settings
  return {
    ...{ client, audiences },
    issuers: issuers.map(({ name }, at) => ({ name, endpoints: found[at] })),
  }
}

/** The storefront and the console by path, their files below `/shop`, and their settings. */
export function storefrontPages({
  publicUrl,
  demo,
  signIn,
}: StorefrontOptions): ReadonlyMap<string, StaticPage> {
  const pages = new Map<string, StaticPage>()
  const atConsole = signIn?.settings.client ? signIn : undefined
  const headers = (called?: readonly string[]) => ({
    'content-security-policy': policy(publicUrl, called),
    'referrer-policy': 'same-origin',
  })
  for (const [path, file] of Object.entries(PAGES)) {
    const isCalling = atConsole && path === '/console'
    pages.set(path, {
      type: 'text/html; charset=utf-8',
      load: () => readFile(join(BUILT, file)),
      headers: isCalling ? () => headers(tokenOrigins(atConsole)) : headers(),
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
    load: async () =>
      JSON.stringify({
        publicUrl,
        demo: demo() ?? null,
        ...(atConsole ? { signIn: atConsole.settings.issuers } : {}),
      }),
    changes: true,
  })
  if (atConsole) {
    pages.set('/shop/sign-in.json', {
      type: 'application/json',
      load: async () => JSON.stringify(await offered(atConsole)),
      changes: true,
    })
  }
  return pages
}
