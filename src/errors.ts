/** Why a request failed. */
export type FailureCode =
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

/** The status of an answer that each failure becomes. */
export const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  exhausted: 402,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  preconditionFailed: 412,
  tooLarge: 413,
  unsupportedMediaType: 415,
  tooManyRequests: 429,
  unavailable: 503,
} as const satisfies Record<FailureCode, number>

/** A failure whose `message` may be shown to the caller; `cause` is for the log only. */
export class Failure extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.name = new.target.name
  }
}

/** The request is wrong; `message` names the place, as in `filters[2].min: expected number`. */
export class Invalid extends Failure {
  constructor(message: string) {
    super('invalid', message)
  }
}

/** No credential, or an invalid one. */
export class Unauthenticated extends Failure {
  constructor(message = 'Send a valid API key: Authorization: Bearer <key>, or x-api-key: <key>.') {
    super('unauthenticated', message)
  }
}

/** No search credits are left. */
export class Exhausted extends Failure {
  constructor(message: string) {
    super('exhausted', message)
  }
}

/** A known caller who may not do this. */
export class Forbidden extends Failure {
  constructor(message: string) {
    super('forbidden', message)
  }
}

/** Missing, or owned by somebody else. Callers cannot tell which. */
export class NotFound extends Failure {
  constructor(what: string) {
    super('notFound', `${what} not found.`)
  }
}

export class MethodNotAllowed extends Failure {
  readonly allow: readonly string[]

  constructor(allow: readonly string[]) {
    super('methodNotAllowed', `Method not allowed here. Allowed: ${allow.join(', ')}.`)
    this.allow = allow
  }
}

/** The target exists already, or was changed concurrently. */
export class Conflict extends Failure {
  constructor(message: string) {
    super('conflict', message)
  }
}

/** If-Match names another version than the stored one. */
export class PreconditionFailed extends Failure {
  constructor(message: string) {
    super('preconditionFailed', message)
  }
}

export class TooLarge extends Failure {
  constructor(message: string) {
    super('tooLarge', message)
  }
}

export class UnsupportedMediaType extends Failure {
  constructor(message: string) {
    super('unsupportedMediaType', message)
  }
}

/** Too many at once; worth another try after `retryAfter` seconds. */
export class TooManyRequests extends Failure {
  readonly retryAfter: number

  constructor(message: string, retryAfter = 1) {
    super('tooManyRequests', message)
    this.retryAfter = retryAfter
  }
}

/** Elasticsearch or the disk does not answer now; worth another try after `retryAfter` seconds. */
export class Unavailable extends Failure {
  readonly retryAfter: number

  constructor(message: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super('unavailable', message, { cause: options.cause })
    this.retryAfter = options.retryAfter ?? 2
  }
}

/** The document changed since it was read: read it again and repeat. Never reaches a caller. */
export class Stale extends Error {
  constructor() {
    super('The document changed since it was read.')
    this.name = 'Stale'
  }
}

/** Status and message of a failure for its caller. An unexpected error is a 500 without details. */
export const publicError = (error: unknown) =>
  error instanceof Failure
    ? { status: STATUS[error.code], message: error.message }
    : ({ status: 500, message: 'An internal error occurred. It has been logged.' } as const)

/**
 * Turns a deadline that passed into a failure, also one of another request that this one waited
 * for.
 */
export const deadlineFailure = (error: unknown): unknown =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
    ? new Unavailable('The request timed out. Try again.')
    : error

export type FailureKind = abstract new (...given: never[]) => Error

/** For `catch`: turns failures of these kinds into undefined, and rethrows anything else. */
export const ignoring =
  (...kinds: readonly FailureKind[]) =>
  (error: unknown): undefined => {
    if (!kinds.some((kind) => error instanceof kind)) throw error
  }

/** The service cannot start; `message` is one sentence that says what to do. */
export class StartupFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartupFailure'
  }
}
