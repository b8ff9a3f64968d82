import type { Caller, Operation } from '../operation.ts'

/** A browser's question before a call with a search key; it carries no key yet. */
export function preflightHeaders(
  origin: string,
  allowed: readonly string[],
): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': allowed.join(', '),
    'access-control-allow-headers':
      'authorization, content-type, x-api-key, x-api-version, x-organization, x-suborganization',
    'access-control-max-age': '600',
    vary: 'origin',
  }
}

export const mayPreflight = (operation: Operation): boolean => operation.keys.includes('search')

/** Only search keys are for browsers, and only from the origins that the key names. */
export function corsHeaders(caller: Caller | undefined, origin: string | undefined) {
  if (!origin || caller?.keyType !== 'search') return {}
  if (caller.origins && !caller.origins.includes(origin)) return { vary: 'origin' }
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'x-api-version, retry-after, x-search-credits-remaining',
    vary: 'origin',
  }
}
