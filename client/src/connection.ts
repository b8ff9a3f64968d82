import { AisleError } from './error.ts'

/** Which service is called, and by whom. */
export interface Connection {
  /** As `https://search.example`; absent in a page: the folder that the page came from. */
  readonly url?: string | undefined
  /** An API key, or the token of somebody who signed in; sent as a header. */
  readonly key?: string | undefined
  /** Id of the organization; only for keys that reach several. */
  readonly organization?: string | undefined
  /** Id of one of its sub-organizations, in which calls are made then. */
  readonly suborganization?: string | undefined
  /** Further tries after 429 and 503; 2 when absent. */
  readonly retries?: number | undefined
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** What one call may say besides its input. */
export interface CallOptions {
  /** Ends the call, also while it waits for another try; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Further tries after 429 and 503, for this call. */
  readonly retries?: number | undefined
  /** The `version` that a product must still have, else the call fails with 412. */
  readonly ifMatch?: string | number | undefined
  /** Sent again with the same key, a batch is not done again. One is made for each call when absent. */
  readonly idempotencyKey?: string | undefined
}

/** Throws AisleError for a key or an id that cannot be sent, and that nobody has therefore. */
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
 * Keys and ids of Aisle are such texts; `fetch` refuses others in words that say nothing of them.
 * The end of the line that a file has may stand after them.
 */
export const fitsHeader = (text: string): boolean => /^[!-~]+$/.test(text.trim())

export const UNFIT =
  'it has spaces or characters outside ASCII, as none has; was it copied with something else?'

/** Without a service's address paths have no slash in front: a proxy may add some. */
export const addressOf = ({ url = '' }: Connection, path: string): string =>
  url === '' ? path : `${url.endsWith('/') ? url.slice(0, -1) : url}/${path}`
