import { type DestinationStream, type Logger, levels, pino } from 'pino'
import { Unavailable } from '../errors.ts'
import { createRepeats, kindOf } from './log-repeats.ts'

export type Log = Logger

/** A log whose end writes what it has counted so far. */
export interface EndableLog extends Logger {
  end(): void
}

/**
 * JSON lines on standard error; secrets that travel in headers or bodies are removed by name.
 * Warnings and errors of one kind are a line at once, and then one a minute with `repeated`.
 */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination(2),
): EndableLog {
  const repeats = createRepeats()
  const log = pino(
    {
      level,
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

/** Tells of work that failed and will be tried again; an outage in one line, a surprise with its stack. */
export function warnOf(log: Log, name: string, error: unknown): void {
  if (error instanceof Unavailable) log.warn({ name }, error.message)
  else log.warn({ name, err: error }, 'work failed')
}
