import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import type { Operation } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { withRevisionPrefix } from './revision.ts'
import { matcher, routesOf } from './routes.ts'
import { urlPath } from './url-path.ts'

/**
 * Finds the keys of a request. The operation table says which operations take one in their address.
 */
export interface RequestKeys {
  /** The key in the address, where the operation takes one there. */
  inAddress(request: Request): string | undefined
  /** The distinct keys of a request: none, one, or by mistake more. */
  all(request: Request): string[]
  /** Whether a request is for an operation that takes a key. */
  takesKey(request: Request): boolean
  /** Whether the caller is identified by the address alone. */
  isAddressed(request: Request): boolean
  /** Whether a request names a key in its address alone, where none may be. */
  isMisaddressed(request: Request): boolean
  /** The message for such a key. */
  readonly notAddressed: string
}

export function requestKeys(operations: readonly Operation[]): RequestKeys {
  const bindings = operations.flatMap((operation) => Object.values(operation.bindings))
  const addressed = new Set(bindings.filter((one) => one.keyInAddress).map(({ path }) => path))
  const takers = [...addressed].map((path) => `GET ${path}`).join(' and ')
  const inAddress = ({ method, url }: Request): string | undefined =>
    (method === 'GET' || method === 'HEAD') && addressed.has(urlPath(url))
      ? keyParameter(url)
      : undefined
  const all = memoizeWeak((request: Request): string[] => {
    const { headers } = request
    const bearer = headers.get('authorization')?.match(/^Bearer\s+(\S+)\s*$/i)?.[1]
    const direct = headers.get('x-api-key')?.trim()
    const named = [bearer, direct, inAddress(request)]
    return [...new Set(named)].filter((secret): secret is string => Boolean(secret))
  })
  const routes = routesOf(operations)
  const versionless = matcher(routes.filter(({ revision }) => revision === 'any'))
  const router = new SmartRouter<boolean>({ routers: [new RegExpRouter(), new TrieRouter()] })
  for (const { method, path, operation } of routes) {
    router.add(method, path, operation.access !== 'public')
  }
  const keys: RequestKeys = {
    inAddress,
    all,
    takesKey(request) {
      const path = withRevisionPrefix(request, (one) => versionless(one).length > 0, keys)
      const method = request.method === 'HEAD' ? 'GET' : request.method
      const [[first]] = router.match(method, path)
      return first?.[0] ?? false
    },
    isAddressed: (request) =>
      inAddress(request) !== undefined && !NAMING.some((name) => request.headers.has(name)),
    isMisaddressed: (request) =>
      all(request).length === 0 && keyParameter(request.url) !== undefined,
    notAddressed: `key: only ${takers} accepts a key in the URL. Send it as Authorization: Bearer <key>.`,
  }
  return keys
}

function keyParameter(url: string): string | undefined {
  const at = url.indexOf('?')
  return at < 0 ? undefined : new URLSearchParams(url.slice(at + 1)).get('key')?.trim() || undefined
}

/** Headers that identify the caller or the organization. */
const NAMING = ['authorization', 'x-api-key', 'x-organization', 'x-suborganization']
