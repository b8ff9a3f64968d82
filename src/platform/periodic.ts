import { type Log, warnOf } from './log.ts'

export interface Periodic {
  readonly name: string
  readonly everyMs: number
  /** `signal` aborts at the stop: what takes long then ends early and goes on another time. */
  readonly work: (signal: AbortSignal) => Promise<unknown>
}

/** Runs `work` now and then, never twice at once; failures are logged and tried again next time. */
export function periodically(log: Log, { name, everyMs, work }: Periodic) {
  let running: Promise<void> | undefined
  const stopping = new AbortController()
  const timer = setInterval(() => {
    running ??= work(stopping.signal)
      .then(() => undefined)
      .catch((error: unknown) => warnOf(log, name, error))
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
