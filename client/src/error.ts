const CODES: Readonly<Record<number, AisleErrorCode>> = {
  400: 'invalid',
  401: 'unauthenticated',
  402: 'exhausted',
  403: 'forbidden',
  404: 'notFound',
  405: 'methodNotAllowed',
  409: 'conflict',
  412: 'preconditionFailed',
  413: 'tooLarge',
  415: 'unsupportedMediaType',
  429: 'tooManyRequests',
  503: 'unavailable',
}

/** Why a call failed. `unreachable`: no whole answer came; `unknown`: a status of something else. */
export type AisleErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'exhausted'
  | 'forbidden'
  | 'notFound'
  | 'methodNotAllowed'
  | 'conflict'
  | 'preconditionFailed'
  | 'tooLarge'
  | 'unsupportedMediaType'
  | 'tooManyRequests'
  | 'unavailable'
  | 'internal'
  | 'unreachable'
  | 'unknown'

/** What is known of a failure besides its words. */
export interface AisleErrorFacts {
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/** A call that failed; `message` is the service's own words where it answered. */
export class AisleError extends Error {
  override readonly name = 'AisleError'
  /** Of the answer; 0 when none came. Of a key that cannot be sent 401, as no key is such a text. */
  readonly status: number
  readonly code: AisleErrorCode
  /** Names the request in the service's log. */
  readonly requestId: string | undefined
  /** Seconds after which it is worth another try, as the service said. */
  readonly retryAfter: number | undefined

  constructor(status: number, message: string, facts: AisleErrorFacts = {}) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause })
    this.status = status
    this.code = codeOf(status)
    this.requestId = facts.requestId
    this.retryAfter = facts.retryAfter
  }
}

const codeOf = (status: number): AisleErrorCode =>
  status === 0 ? 'unreachable' : (CODES[status] ?? (status === 500 ? 'internal' : 'unknown'))
