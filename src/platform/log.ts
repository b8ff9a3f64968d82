import { type Logger, pino } from 'pino'

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
