import { pathOf } from './path-of.ts'

/** The one operation whose address may name the key, so that caches tell its answers apart. */
const ADDRESSED = '/api/search'

/** The key in the address of a request, where it may have one there. */
export function keyInAddress({ method, url }: Request): string | undefined {
  const at = url.indexOf('?')
  if (at < 0 || (method !== 'GET' && method !== 'HEAD') || pathOf(url) !== ADDRESSED)
    return undefined
  return new URLSearchParams(url.slice(at + 1)).get('key')?.trim() || undefined
}

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
