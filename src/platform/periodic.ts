import { setTimeout as sleep } from 'node:timers/promises'
import { type Log, logFailure } from './log.ts'
import { requestTrace } from './request-trace.ts'

export interface Periodic {
  readonly name: string
  readonly everyMs: number
  /** Milliseconds between the end of a run and the next one that was asked for; 0 by default. */
  readonly restMs?: number
  /** `signal` aborts when the service stops: long work continues on a later run. */
  readonly work: (signal: AbortSignal) => Promise<unknown>
}

/**
 * Runs `work` periodically, never concurrently, and outside the request that asked for it. Failures
 * are logged and retried next time.
 */
export function periodically(log: Log, { name, everyMs, restMs = 0, work }: Periodic) {
  let running: Promise<void> | undefined
  let again = false
  const stopping = new AbortController()
  const { signal } = stopping
  async function once(): Promise<void> {
    await work(signal).catch((error: unknown) => logFailure(log, name, error))
    if (restMs > 0) await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
  function run(): void {
    if (signal.aborted) return
    running ??= requestTrace.exit(once).finally(() => {
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
