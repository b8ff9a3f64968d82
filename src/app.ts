import { Hono } from 'hono'
import type { Authenticate } from './authentication.ts'
import type { DemoAccess } from './demo/load.ts'
import { fallback } from './http/fallback.ts'
import { mount } from './http/mount.ts'
import { type RequestKeys, requestKeys } from './http/request-keys.ts'
import { createTurns } from './http/request-turns.ts'
import { withRevisionPrefix } from './http/revision.ts'
import { matcher, routesOf } from './http/routes.ts'
import { serveStaticPages } from './http/static-pages.ts'
import { documentationPages } from './openapi/pages.ts'
import type { Operation, Services } from './operation.ts'
import type { SignIn } from './sign-in/sign-in.ts'
import { storefrontPages } from './storefront/pages.ts'

export interface AppOptions {
  readonly services: Services
  readonly operations: readonly Operation[]
  /** Made of the operations when absent. */
  readonly keys?: RequestKeys
  readonly authenticate: Authenticate
  /** Charges further requests to the rate of a sender without a key. */
  readonly chargeAddress?: (address: string, requests: number) => void
  /** The catalog that the storefront shows to everybody, once there is one. */
  readonly demo?: () => DemoAccess | undefined
  /** The operation that answers models at /mcp. */
  readonly mcp?: Operation | undefined
  /** How people sign in at the console. */
  readonly signIn?: SignIn | undefined
  /** Compare every answer with its declared schema; for tests. */
  readonly checkAnswers?: boolean
}

/** The whole HTTP service: the operation table, and a fallback for all other requests. */
export function createApp({
  services,
  operations,
  authenticate,
  chargeAddress = () => undefined,
  demo = () => undefined,
  mcp,
  keys: given,
  signIn,
  checkAnswers = false,
}: AppOptions) {
  const all = mcp ? [...operations, mcp] : operations
  const keys = given ?? requestKeys(all)
  const routes = routesOf(all)
  const versionless = matcher(routes.filter(({ revision }) => revision === 'any'))
  const { publicUrl } = services
  const pages = new Map([
    ...documentationPages(operations, publicUrl),
    ...storefrontPages({ publicUrl, demo, signIn }),
  ])
  const app = new Hono({
    getPath: (request) =>
      withRevisionPrefix(request, (path) => pages.has(path) || versionless(path).length > 0, keys),
  })
  const takeTurn = createTurns()
  serveStaticPages(app, pages, takeTurn)
  const options = { services, authenticate, chargeAddress, keys, takeTurn, checkAnswers }
  for (const route of routes) mount(app, route, options)
  fallback(app, routes, { log: services.log, keys, takeTurn })
  return app
}
