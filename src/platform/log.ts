import { type DestinationStream, type Logger, levels, pino } from 'pino'
import { Unavailable } from '../errors.ts'
import { createRepeatFilter, kindOf } from './log-repeats.ts'

export type Log = Logger

/**
 * JSON lines on standard error, with secrets in headers and bodies redacted by name. Repeated
 * warnings and errors are logged at once, then once a minute with `repeated`, and at `end`.
 */
export function createLog(level: string, destination: DestinationStream = pino.destination(2)) {
  const repeats = createRepeatFilter()
  const log = pino(
    {
      level,
      serializers: { err: loggedError },
      redact: ['*.authorization', '*["x-api-key"]', '*.apiKey', '*.password', '*.secret', '*.key'],
      hooks: {
        logMethod(args: unknown[], method, severity) {
          const write = method as (bindings: object, message: string) => void
          const [first, second] = args
          const bindings = (typeof first === 'object' ? first : {}) as Record<string, unknown>
          const message = typeof first === 'string' ? first : String(second ?? '')
          const line = (counted: object) => write.call(this, { ...bindings, ...counted }, message)
          if (severity < levels.values.warn! || repeats.isFirst(kindOf(message, bindings), line)) {
            line({})
          }
        },
      },
    },
    destination,
  )
  return Object.assign(log, { end: repeats.flush })
}

/** Characters of an error's message and stack. */
const ERROR_LENGTH = 8_000
/** Causes of causes. */
const DEPTH = 3

/**
 * The fields of an error that are logged. Errors of the Elasticsearch client also contain the
 * whole request, which may take minutes to format.
 */
function loggedError(error: unknown, depth = DEPTH): unknown {
  if (!(error instanceof Error)) return error
  const { name: type, message, stack, cause } = error
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  return {
    type,
    message: message.slice(0, ERROR_LENGTH),
    stack: stack?.slice(0, ERROR_LENGTH),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof statusCode === 'number' ? { statusCode } : {}),
    ...(cause === undefined || depth === 0 ? {} : { cause: loggedError(cause, depth - 1) }),
  }
}

/**
 * Logs a failure that will be retried: an outage on one line, anything unexpected with its stack.
 */
export function logFailure(log: Log, name: string, error: unknown): void {
  if (error instanceof Unavailable) log.warn({ name }, error.message)
  else log.warn({ name, err: error }, 'work failed')
}
