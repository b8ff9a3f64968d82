import { pathOf } from './path-of.ts'

/** The one operation whose address may name the key, so that caches tell its answers apart. */
const ADDRESSED = '/api/search'

/** The key in the address of a request, where it may have one there. */
export function keyInAddress({ method, url }: Request): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || pathOf(url) !== ADDRESSED) return undefined
  return keyParameter(url)
}

function keyParameter(url: string): string | undefined {
  const at = url.indexOf('?')
  return at < 0 ? undefined : new URLSearchParams(url.slice(at + 1)).get('key')?.trim() || undefined
}

/** Said of a key in the address of another request. */
export const NOT_ADDRESSED =
  'key: only GET /api/search takes a key in its address. Send it as Authorization: Bearer <key>.'

/** Whether a request names a key in its address alone, where none may be. */
export const isMisaddressed = (request: Request): boolean =>
  keysIn(request).length === 0 && keyParameter(request.url) !== undefined

/** The keys that a request names, each once: none, one, or by mistake more. */
export function keysIn(request: Request): string[] {
  const { headers } = request
  const bearer = headers.get('authorization')?.match(/^Bearer\s+(\S+)\s*$/i)?.[1]
  const direct = headers.get('x-api-key')?.trim()
  const named = [bearer, direct, keyInAddress(request)]
  return [...new Set(named)].filter((secret): secret is string => Boolean(secret))
}

/** Whether the address of a request says for whom it is, and nothing else does. */
export const isAddressed = (request: Request): boolean =>
  keyInAddress(request) !== undefined &&
  !['authorization', 'x-api-key', 'x-organization', 'x-suborganization'].some((name) =>
    request.headers.has(name),
  )
