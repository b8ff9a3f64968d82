import { type Log, logFailure } from './log.ts'

export interface Periodic {
  readonly name: string
  readonly everyMs: number
  /** `signal` aborts when the service stops: long work continues on a later run. */
  readonly work: (signal: AbortSignal) => Promise<unknown>
}

/** Runs `work` periodically, never concurrently. Failures are logged and retried next time. */
export function periodically(log: Log, { name, everyMs, work }: Periodic) {
  let running: Promise<void> | undefined
  let again = false
  const stopping = new AbortController()
  function run(): void {
    if (stopping.signal.aborted) return
    running ??= work(stopping.signal)
      .then(() => undefined)
      .catch((error: unknown) => logFailure(log, name, error))
      .finally(() => {
        running = undefined
        if (again) now()
      })
  }
  function now(): void {
    again = running !== undefined
    run()
  }
  const timer = setInterval(run, everyMs)
  timer.unref()
  return {
    /** Runs it now, or once more after a run under way, which may have passed over what is new. */
    now,
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
