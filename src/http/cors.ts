import type { Caller } from '../operation.ts'
import type { Route } from './routes.ts'

/** A browser's preflight request for a call with a search key. It carries no key yet. */
export const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method')

/** Allows what a search key may call at these routes; undefined when that is nothing. */
export function preflightAnswer(
  { headers }: Request,
  routes: readonly Route[],
): Response | undefined {
  const methods = routes
    .filter(({ operation: { keys } }) => keys.includes('search') || keys.includes('session'))
    .map(({ method }) => method)
  if (methods.length === 0) return undefined
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': headers.get('origin')!,
      'access-control-allow-methods': [...new Set(methods)].sort().join(', '),
      'access-control-allow-headers': [
        'authorization, content-type, x-api-key, x-api-version, x-organization, x-suborganization',
        // For pages that trace their calls.
        'traceparent, tracestate',
        // For models in a page: the headers of the Model Context Protocol.
        'mcp-protocol-version, mcp-session-id, mcp-method, mcp-name',
      ].join(', '),
      'access-control-max-age': '600',
      vary: 'origin',
    },
  })
}

/** Only search keys are for browsers, and only from the origins that the key names. */
export function corsHeaders(
  { keyType, origins }: Pick<Caller, 'keyType' | 'origins'>,
  origin: string | undefined,
) {
  if (!origin || keyType !== 'search') return {}
  return origins && !origins.includes(origin) ? { vary: 'origin' } : openCors(origin)
}

/**
 * The headers of answers given before a key is known. Any page may read them, as no key protects
 * them.
 */
export function openCors(origin: string | undefined): Record<string, string> {
  if (!origin) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers':
      'x-api-version, x-request-id, retry-after, x-search-credits-remaining',
    vary: 'origin',
  }
}
