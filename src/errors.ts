/** Why a request may fail, and the status of the answer that each failure becomes. */
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
} as const
export type FailureCode = keyof typeof STATUS

/** A failure whose `message` may be shown to the caller; `cause` is for the log only. */
export class Failure extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.name = new.target.name
  }
}

/** A class of failures with this code, which have a message only. */
const failureOf = (code: FailureCode) =>
  class extends Failure {
    constructor(message: string) {
      super(code, message)
    }
  }

/** The request is wrong; `message` names the place, as in `filters[2].min: expected number`. */
export class Invalid extends failureOf('invalid') {}

/** No credential, or an invalid one. */
export class Unauthenticated extends Failure {
  constructor(message = 'Send a valid API key: Authorization: Bearer <key>, or x-api-key: <key>.') {
    super('unauthenticated', message)
  }
}

/** No search credits are left. */
export class Exhausted extends failureOf('exhausted') {}

/** A known caller who may not do this. */
export class Forbidden extends failureOf('forbidden') {}

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
export class Conflict extends failureOf('conflict') {}

/** If-Match names another version than the stored one. */
export class PreconditionFailed extends failureOf('preconditionFailed') {}

export class TooLarge extends failureOf('tooLarge') {}

export class UnsupportedMediaType extends failureOf('unsupportedMediaType') {}

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

/**
 * The disk for temporary files is full or cannot be written. A task then fails instead of waiting
 * as for Unavailable, since its own file may have filled the disk.
 */
export class DiskFull extends Failure {
  readonly retryAfter = 30

  constructor(message: string, options?: ErrorOptions) {
    super('unavailable', message, options)
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
