import { setTimeout as sleep } from 'node:timers/promises'
import { type Log, logFailure } from './log.ts'
import { requestTrace } from './request-trace.ts'

export interface Periodic {
  readonly name: string
  readonly everyMs: number
  /** It rests after each run for as long as that took, up to so many milliseconds; 0 by default. */
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
    const began = performance.now()
    await work(signal).catch((error: unknown) => logFailure(log, name, error))
    const rest = Math.min(restMs, performance.now() - began)
    if (rest > 0) await sleep(rest, undefined, { signal, ref: false }).catch(() => undefined)
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
    /**
     * Runs it at once, or once more after a run under way and its rest, since that may have passed
     * over what is new.
     */
    now,
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
