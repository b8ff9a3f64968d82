import { AisleError } from './error.ts'

/** The service to call, and the credentials to call it with. */
export interface Connection {
  /** Such as `https://search.example`. If absent in a page, the folder that the page came from. */
  readonly url?: string | undefined
  /** An API key, or the token of a signed-in user; sent as a header. */
  readonly key?: string | undefined
  /** Id of the organization; needed only for keys that have access to several. */
  readonly organization?: string | undefined
  /** Id of a sub-organization of it, in which calls are then made. */
  readonly suborganization?: string | undefined
  /** Number of retries after 429 and 503; 2 if absent. */
  readonly retries?: number | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** Options of one call besides its input. */
export interface CallOptions {
  /** Aborts the call, also while it waits for a retry; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Number of retries after 429 and 503, for this call. */
  readonly retries?: number | undefined
  /** The `version` that the product must still have; otherwise the call fails with 412. */
  readonly ifMatch?: string | number | undefined
  /**
   * A batch that is sent again with the same key is not applied again. If absent, each call gets a
   * new key.
   */
  readonly idempotencyKey?: string | undefined
}

/** Throws AisleError for a key or an id that cannot be sent in a header. */
export function headersOf({ key, organization, suborganization }: Connection) {
  for (const [name, text] of Object.entries({ key, organization, suborganization })) {
    if (text && !fitsHeader(text)) {
      throw new AisleError(name === 'key' ? 401 : 400, `${name}: ${UNFIT}`)
    }
  }
  return {
    'x-api-version': '6.0',
    ...(key ? { authorization: `Bearer ${key.trim()}` } : {}),
    ...(organization ? { 'x-organization': organization } : {}),
    ...(suborganization ? { 'x-suborganization': suborganization } : {}),
  }
}

/**
 * Whether a text can be sent as a key or an id. Checked here since the error of `fetch` does not
 * say which header it is about. A line break at the end, as in a file, is allowed.
 */
export const fitsHeader = (text: string): boolean => /^[!-~]+$/.test(text.trim())

export const UNFIT =
  'contains spaces or characters outside ASCII; check that it was copied correctly'

/** Without the service's address, paths are relative: a proxy may add a prefix. */
export const addressOf = ({ url = '' }: Connection, path: string): string =>
  url === '' ? path : `${url.endsWith('/') ? url.slice(0, -1) : url}/${path}`
