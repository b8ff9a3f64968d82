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

/** Why a call failed. `unreachable`: no complete answer came; `unknown`: any other status. */
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

/** Details of a failure besides its message. */
export interface AisleErrorFacts {
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/** A failed call; `message` is the service's own if it answered. */
export class AisleError extends Error {
  override readonly name = 'AisleError'
  /** HTTP status of the answer; 0 if none came, and 401 for a key that cannot be sent. */
  readonly status: number
  readonly code: AisleErrorCode
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined
  /** Seconds after which to try again, as the service said. */
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
