import { type Logger, pino } from 'pino'
import { Unavailable } from '../errors.ts'

export type Log = Logger

/** JSON lines on standard error; secrets that travel in headers or bodies are removed by name. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      redact: ['*.authorization', '*["x-api-key"]', '*.apiKey', '*.password', '*.secret', '*.key'],
    },
    pino.destination(2),
  )
}

/** Tells of work that failed and will be tried again; an outage in one line, a surprise with its stack. */
export function warnOf(log: Log, name: string, error: unknown): void {
  if (error instanceof Unavailable) log.warn({ name }, error.message)
  else log.warn({ name, err: error }, 'work failed')
}
